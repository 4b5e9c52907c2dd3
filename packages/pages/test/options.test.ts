import { goodPassword } from '@fastify-accounts/test-support/app'
import { expect, it } from 'vitest'
import { browser, pagesApp } from './pages-app.js'

it.each([
  [{ landing: { in: 'https://evil.example/' } }, 'landing.in must be a path of the site'],
  [{ landing: { out: '//evil.example' } }, 'landing.out must be a path of the site'],
  [{ landing: { in: 'account' } }, 'landing.in must be a path of the site, got account'],
  [{ landing: { in: 3 } }, 'landing.in must be a path of the site, got 3'],
  [{ landing: { login: '/secret/' } }, 'landing.login is not an option'],
  [{ landing: '/secret/' }, 'landing must be an object'],
  [{ landing: null }, 'landing must be an object'],
  [{ layuot: () => '' }, 'layuot is not an option'],
])('stops the start for %j, with one line', async (own, line) => {
  const error = await pagesApp(own as never).catch((each: Error) => each)
  expect(error).toBeInstanceOf(Error)
  const { message } = error as Error
  expect(message).toContain(`@fastify-accounts/pages: ${line}`)
  expect(message).not.toContain('\n')
})

it('lands where the site says, and links its header to the pages', async () => {
  const { app } = await pagesApp({ landing: { in: '/secret/', out: '/bye/' } }, {}, (host) => {
    host.get('/bye/', (_, reply) => reply.type('text/html').send('bye'))
    host.get('/', (_, reply) => {
      const { pages } = host.accounts
      reply.type('text/html')
      return reply.send(
        `<a href="${pages.url('login')}">Log in</a><a href="${pages.url('account', { next: '/a?b=c&d' })}">Account</a>
${pages.logOutForm('Leave "us"')}`,
      )
    })
  })
  await app.accounts.createUser({ username: 'alice', password: goodPassword })
  const visitor = browser(app)
  await visitor.open('/')
  expect(visitor.page.html).toContain('href="/account/?next=%2Fa%3Fb%3Dc%26d"')
  await visitor.follow('Log in')
  const home = await visitor.submit('Log in', { username: 'alice', password: goodPassword })
  expect(home).toMatchObject({ url: '/secret/', html: 'in' })
  await visitor.open('/')
  expect(await visitor.submit('Leave "us"')).toMatchObject({ url: '/bye/', html: 'bye' })
  expect((await visitor.open('/secret/')).heading).toBe('Log in to localhost:3000')
})
