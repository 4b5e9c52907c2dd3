import { type Provider, providers } from '@fastify-accounts/providers'
import { goodPassword } from '@fastify-accounts/test-support/app'
import { startIssuer, type TestIssuer } from '@fastify-accounts/test-support/providers/issuer'
import { codeOf, enroll } from '@fastify-accounts/test-support/second-factor'
import { secondFactor } from 'fastify-accounts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Browser, browser, later, pagesApp, type Shown } from './pages-app.js'

let issuer: TestIssuer
beforeAll(async () => {
  issuer = await startIssuer()
})
afterAll(() => issuer.close())

const claims = { sub: '1', email: 'alice@example.org', email_verified: true }

/** The app with a provider that alice is linked with, and a browser at its guarded route. */
async function atTheDoor() {
  const demo: Provider = {
    ...{ name: 'demo', label: 'Demo', issuer: issuer.url, clientId: 'app', clientSecret: 'secret' },
    authoritativeFor: true,
  }
  const world = await pagesApp({}, { features: [providers([demo]), secondFactor()] })
  const address = { email: 'alice@example.org', isVerified: true }
  await world.app.accounts.createUser({ username: 'alice', password: goodPassword, ...address })
  const visitor = browser(world.app)
  await visitor.open('/secret/?a=1')
  return { ...world, visitor }
}

/** Logs in at the provider that a page moves on to, and comes back. */
function comeBack(visitor: Browser, page: Shown, more: object = {}): Promise<Shown> {
  const parameters = issuer.logIn(locationOf(page), { ...claims, ...more })
  return visitor.open(`/login/with/demo/callback/?${parameters}`)
}

function locationOf({ html, response }: Shown): string {
  const { refresh = '' } = response.headers
  const [, location = ''] = /url=([^"]*)/.exec(`${refresh}"${html.replaceAll('&#38;', '&')}`) ?? []
  return location
}

it('logs in with a provider, and back; marks it as the way used last; and confirms with it', async () => {
  const { visitor } = await atTheDoor()
  expect(visitor.page.text).toMatch(/Continue with Demo or Username/)
  const moving = await visitor.submit('Continue with Demo')
  const home = { status: 200, url: '/secret/?a=1', html: 'in' }
  expect(await comeBack(visitor, moving)).toMatchObject(home)
  await visitor.open('/logout/')
  await visitor.submit('Log out')
  expect((await visitor.follow('Log in')).text).toContain('Continue with Demo Last used or')

  await visitor.submit('Log in', { username: 'alice', password: goodPassword })
  later(20)
  await visitor.open('/account/email/')
  await visitor.follow('Continue with Demo')
  const there = await visitor.submit('Continue with Demo')
  const auth_time = Math.floor(Date.now() / 1000)
  expect(await comeBack(visitor, there, { auth_time })).toMatchObject({ status: 200, url: '/account/email/' })
})

it('asks for the second factor after a provider, and leads back', async () => {
  const world = await atTheDoor()
  const { visitor } = world
  await comeBack(visitor, await visitor.submit('Continue with Demo'))
  const { secret } = await enroll(world)
  const fresh = browser(world.app)
  await fresh.open('/secret/?a=1')
  const second = await comeBack(fresh, await fresh.submit('Continue with Demo'))
  expect(second.heading).toBe('Two-step verification')
  const back = await fresh.submit('Continue', { code: codeOf(secret) })
  expect(back).toMatchObject({ status: 200, url: '/secret/?a=1', html: 'in' })
})

/** Cancels at the provider that a page moves on to. */
function cancel(visitor: Browser, page: Shown): Promise<Shown> {
  const state = new URL(locationOf(page)).searchParams.get('state') ?? ''
  const canceled = new URLSearchParams({ error: 'access_denied', state, iss: issuer.url })
  return visitor.open(`/login/with/demo/callback/?${canceled}`)
}

it('leads back to where somebody canceled at a provider, says so, and goes on from there', async () => {
  const { visitor } = await atTheDoor()
  await visitor.follow('Create an account')
  const signUp = await cancel(visitor, await visitor.submit('Continue with Demo'))
  expect(signUp).toMatchObject({ status: 200, heading: 'Create your account' })
  expect(signUp.text).toContain('You canceled.')
  await visitor.follow('Log in')
  const login = await cancel(visitor, await visitor.submit('Continue with Demo'))
  expect(login.text).toMatch(/You canceled\..* Continue with Demo or/)
  const back = await visitor.submit('Log in', { username: 'alice', password: goodPassword })
  expect(back).toMatchObject({ status: 200, url: '/secret/?a=1', html: 'in' })

  await visitor.open('/account/logins/')
  const linking = await cancel(visitor, await visitor.submit('Link Demo'))
  expect(linking).toMatchObject({ status: 200, heading: 'Linked logins' })
  expect(linking.text).toContain('You canceled.')
  await comeBack(visitor, await visitor.submit('Link Demo'))
  const [, logins = ''] = /Linked logins (.*?) Manage/.exec((await visitor.open('/account/')).text) ?? []
  expect(logins).toBe('Demo')

  later(20)
  await visitor.open('/account/email/')
  await visitor.follow('Continue with Demo')
  const confirming = await cancel(visitor, await visitor.submit('Continue with Demo'))
  expect(confirming).toMatchObject({ status: 200, heading: 'Confirm it’s you' })
  expect(confirming.text).toContain('You canceled.')
  await visitor.follow('Use your password')
  const next = await visitor.submit('Confirm', { password: goodPassword })
  expect(next.url).toBe('/account/email/')
  expect(next.text).not.toContain('You canceled.')
})

it('logs in on the page to sign up whom a provider knows already', async () => {
  const { visitor } = await atTheDoor()
  await visitor.follow('Create an account')
  const back = await comeBack(visitor, await visitor.submit('Continue with Demo'))
  expect(back).toMatchObject({ status: 200, url: '/secret/?a=1', html: 'in' })
})

it('asks for the second factor on the way back to the page to sign up', async () => {
  const world = await atTheDoor()
  const { secret } = await enroll(world)
  const { visitor } = world
  await visitor.follow('Create an account')
  const second = await comeBack(visitor, await visitor.submit('Continue with Demo'))
  expect(second.heading).toBe('Two-step verification')
  const back = await visitor.submit('Continue', { code: codeOf(secret) })
  expect(back).toMatchObject({ status: 200, url: '/secret/?a=1', html: 'in' })
})

it('leads back from a provider even to who came with a very long URL', async () => {
  const { visitor } = await atTheDoor()
  const long = `/secret/?q=${'a'.repeat(940)}`
  for (const page of ['login', 'signup']) {
    await visitor.open(`/${page}/?${new URLSearchParams({ next: long })}`)
    const back = await comeBack(visitor, await visitor.submit('Continue with Demo'))
    expect([page, back.status, back.url]).toEqual([page, 200, '/account/'])
    await visitor.open('/logout/')
    await visitor.submit('Log out')
  }
  await visitor.open(long)
  const home = await visitor.submit('Log in', { username: 'alice', password: goodPassword })
  expect(home).toMatchObject({ url: long, html: 'in' })
  later(20)
  await visitor.open(`/confirm/?${new URLSearchParams({ next: long, by: 'with-demo' })}`)
  const there = await visitor.submit('Continue with Demo')
  const auth_time = Math.floor(Date.now() / 1000)
  expect(await comeBack(visitor, there, { auth_time })).toMatchObject({ status: 200, url: '/account/' })
})
