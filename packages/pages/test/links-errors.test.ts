import { providers } from '@fastify-accounts/providers'
import { goodPassword, linkTarget } from '@fastify-accounts/test-support/app'
import { startIssuer } from '@fastify-accounts/test-support/providers/issuer'
import { type Feature, type FeatureCore, linkRoutes, type User } from 'fastify-accounts/features'
import { expect, it, onTestFinished } from 'vitest'
import { browser, later, pagesApp } from './pages-app.js'

const ada = { username: 'ada', email: 'ada@example.org', password: goodPassword }
const minute = 60_000

it('leads from too many logins at a provider back to log in', async () => {
  const issuer = await startIssuer()
  onTestFinished(() => issuer.close())
  const demo = { name: 'demo', label: 'Demo', issuer: issuer.url, clientId: 'app', clientSecret: 'secret' }
  const throttle = { limits: { loginWith: { max: 1, window: minute } } }
  const { app } = await pagesApp({}, { throttle, features: [providers([demo])] })
  const visitor = browser(app)
  await visitor.open('/login/')
  await visitor.submit('Continue with Demo')
  await visitor.open('/login/')
  const throttled = await visitor.submit('Continue with Demo')
  expect(throttled).toMatchObject({ status: 429, heading: 'Too many attempts' })
  expect(throttled.text).toContain('Try again in 1 minute.')
  expect(await visitor.follow('Try again')).toMatchObject({ status: 200, url: '/login/' })
})

it('leads from too many attempts at a way to use a link back to the link', async () => {
  const limits = { verify: { max: 1, window: minute } }
  const world = await pagesApp({}, { users: { variant: 'signup' }, throttle: { limits } })
  await world.send('POST', '/signup/', { ...ada, confirm_password: goodPassword })
  await world.send('POST', '/signup/v/', { email: ada.email })
  const path = linkTarget(await world.mail('verify-email', ada.email))
  const visitor = browser(world.app)
  await visitor.open(path)
  const throttled = await visitor.submit('Confirm', { password: goodPassword })
  expect(throttled).toMatchObject({ status: 429, heading: 'Too many attempts' })
  // The link is a secret.
  expect(throttled.html).not.toContain(path.slice(0, -1))
  later(2)
  expect(await visitor.follow('Try again')).toMatchObject({ status: 200, url: path })

  const unslashed = await world.app.inject({
    ...{ method: 'POST', url: `${path}password`, payload: `password=${goodPassword}` },
    headers: {
      ...{ accept: 'text/html', 'sec-fetch-site': 'same-origin' },
      'content-type': 'application/x-www-form-urlencoded',
    },
  })
  expect(unslashed.statusCode).toBe(429)
  const [, again = ''] = /href="([^"]*)">Try again</.exec(unslashed.body) ?? []
  expect(new URL(again, `http://localhost${path}password`).pathname).toBe(path)
})

it('says what a limit of the app itself says, and leads to no page that somebody is on', async () => {
  let isLimited = true
  const { app } = await pagesApp({}, {}, (app) => {
    app.addHook('onRequest', async ({ url }) => {
      if (isLimited && url.startsWith('/forgot/'))
        throw Object.assign(new Error('Come back tomorrow.'), { statusCode: 429 })
    })
  })
  const visitor = browser(app)
  const limited = await visitor.open('/forgot/?next=/secret/')
  expect(limited).toMatchObject({ status: 429, heading: 'Too many attempts' })
  expect(limited.text).toContain('Come back tomorrow.')
  expect(limited.text).not.toContain('Reset your password')
  isLimited = false
  expect(await visitor.follow('Try again')).toMatchObject({ status: 200, heading: 'Reset your password' })
})

it('leads from a form that the app itself guards to confirm first', async () => {
  const world = await pagesApp({}, {}, (app) => {
    app.addHook('preHandler', async (request, reply) => {
      const isForm = request.method === 'POST' && request.url.startsWith('/reset/')
      if (isForm) await app.accounts.requireRecentLogin(request, reply)
    })
  })
  await world.app.accounts.createUser({ ...ada, isVerified: true })
  const visitor = browser(world.app)
  await visitor.open('/account/')
  await visitor.submit('Log in', { username: 'ada', password: goodPassword })
  await world.send('POST', '/forgot/', { email: ada.email })
  later(20)
  await visitor.open(linkTarget(await world.mail('reset-password')))
  const refused = await visitor.submit('Set password', { new_password: 'staple gun and paper' })
  expect(refused.status, refused.text).toBe(403)
  await visitor.follow('Confirm it’s you')
  expect(visitor.page).toMatchObject({ status: 200, heading: 'Confirm it’s you' })
})

it('emails a new link where nobody can sign up', async () => {
  const world = await pagesApp({}, { users: false })
  await world.app.accounts.createUser({ ...ada, isVerified: true })
  await world.send('POST', '/forgot/', { email: ada.email })
  const path = linkTarget(await world.mail('reset-password'))
  world.mails.length = 0
  later(60 * 24 * 7)
  const visitor = browser(world.app)
  expect((await visitor.open(path)).heading).toBe('This link has expired')
  await visitor.submit('Email me a new one')
  expect(visitor.page.heading).toBe('Check your inbox')
  await visitor.open(linkTarget(await world.mail('reset-password')))
  await visitor.submit('Set password', { new_password: 'staple gun and paper' })
  expect(visitor.page.status).toBe(200)
})

it('emails a new link to confirm an address where people only sign up', async () => {
  const world = await pagesApp({}, { users: { variant: 'signup' } })
  await world.send('POST', '/signup/', { ...ada, confirm_password: goodPassword })
  await world.send('POST', '/signup/v/', { email: ada.email })
  const path = linkTarget(await world.mail('verify-email', ada.email))
  world.mails.length = 0
  later(60 * 24 * 7)
  const visitor = browser(world.app)
  expect((await visitor.open(path)).heading).toBe('This link has expired')
  await visitor.submit('Email me a new one')
  expect(visitor.page.heading).toBe('Check your inbox')
  expect(linkTarget(await world.mail('verify-email', ada.email))).toMatch(/^\/signup\/v\//)
})

it('says of a link that another package has brought that it is used or expired, and leads on', async () => {
  let core: FeatureCore | undefined
  const wave: Feature = {
    name: 'wave',
    links: {
      wave: { route: 'wave', lifetime: 60 * minute, boundTo: ({ emailKey }: User) => [emailKey] },
    } as NonNullable<Feature['links']>,
    routes(own) {
      core = own
      const shared = { name: 'wave', action: 'wave', path: '/wave/', purpose: 'wave' } as const
      const operation = (id: string) => ({ id, summary: 'Wave' })
      const routes = linkRoutes({
        ...(shared as unknown as Pick<Parameters<typeof linkRoutes>[0], keyof typeof shared>),
        show: { operation: operation('checkWave'), handle: () => ({}) },
        use: { operation: operation('wave'), schema: { response: {} }, handle: () => ({}) },
      })
      return { auth: routes }
    },
  }
  const { app, users } = await pagesApp({}, { features: [wave] })
  const { id } = await app.accounts.createUser({ ...ada, isVerified: true })
  const user = await users.findById(id)
  if (core === undefined || user === null) throw new Error('no link')
  const { links, where } = core
  const linkUntil = async (expiresAt: number) =>
    where.path('wave', { ...(await links.issue('wave' as 'not-me', user, new Date(expiresAt), ada.email)) })
  const valid = await linkUntil(Date.now() + minute)
  const expired = await linkUntil(Date.now() - 1000)
  const visitor = browser(app)
  await visitor.open(expired)
  expect(visitor.page).toMatchObject({ status: 400, heading: 'This link has expired' })
  expect(visitor.page.text).toContain('Log in again to get a new one.')
  expect((await visitor.follow('Log in')).url).toBe('/login/')
  await app.accounts.updateUser(id, { email: 'ada@example.net' })
  await visitor.open(valid)
  expect(visitor.page).toMatchObject({ status: 400, heading: 'This link no longer works' })
  expect(visitor.page.text).toContain(
    'This link has been used, or your account has changed since we sent it.',
  )
  await visitor.follow('Continue to localhost:3000')
  expect(visitor.page.url).toBe('/login/?next=%2Faccount%2F')
})
