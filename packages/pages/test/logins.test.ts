import { providers } from '@fastify-accounts/providers'
import { goodPassword } from '@fastify-accounts/test-support/app'
import { startIssuer } from '@fastify-accounts/test-support/providers/issuer'
import { expect, it } from 'vitest'
import { browser, pagesApp } from './pages-app.js'

it('links a login with a provider, and removes it', async () => {
  const issuer = await startIssuer()
  const demo = { name: 'demo', label: 'Demo', issuer: issuer.url, clientId: 'app', clientSecret: 'secret' }
  const { app } = await pagesApp({}, { features: [providers([demo])] })
  const account = { username: 'ada', password: goodPassword, email: 'ada@example.org', isVerified: true }
  await app.accounts.createUser(account)
  const visitor = browser(app)
  await visitor.open('/account/logins/')
  await visitor.submit('Log in', { username: 'ada', password: goodPassword })
  expect(visitor.page.text).toContain('No other account is linked.')

  const going = await visitor.submit('Link Demo')
  expect(going.heading).toBe('Going to Demo')
  const [, location = ''] = /http-equiv="refresh" content="0; url=([^"]+)"/.exec(going.html) ?? []
  const url = location.replaceAll('&#38;', '&').replaceAll('&amp;', '&')
  expect(url.startsWith(issuer.url)).toBe(true)
  const back = issuer.logIn(url, { sub: 'ada-1', email: 'ada@example.com', email_verified: true })
  const linked = await visitor.open(`/login/with/demo/callback/?${back}`)
  expect(linked).toMatchObject({ status: 200, url: '/account/logins/?linked=demo' })
  expect(linked.text).toContain('Demo: ada@example.com is linked. You can log in with it now.')
  // Nobody can have it said of another.
  expect((await visitor.open('/account/logins/?linked=other')).text).not.toContain('is linked')

  await visitor.open('/account/logins/')
  await visitor.follow('Remove')
  expect(visitor.page.heading).toBe('Remove Demo: ada@example.com?')
  const removed = await visitor.submit('Remove login')
  expect(removed.text).toContain('Login removed.')
  expect(removed.text).toContain('No other account is linked.')
  expect((await visitor.reload()).status).toBe(200)
})
