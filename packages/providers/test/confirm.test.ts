import { signUp, testApp } from '@fastify-accounts/test-support/app'
import { refusalOf } from '@fastify-accounts/test-support/app-browser'
import {
  type DemoApp,
  demoApp,
  type Visitor,
  visitor,
} from '@fastify-accounts/test-support/providers/service'
import { enroll } from '@fastify-accounts/test-support/second-factor'
import { createMemorySessionStore, createMemoryUserStore, secondFactor } from 'fastify-accounts'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { github, providers } from '../src/index.js'

const authoritative = { authoritativeFor: true } as const
const ada = { sub: 'ada-1', email: 'ada@example.org', email_verified: true, preferred_username: 'ada' }
const stale = [403, 'ACCOUNTS_CONFIRMATION_REQUIRED']
const cannot = [400, 'ACCOUNTS_PROVIDER_CANNOT_CONFIRM']
const expired = [401, 'ACCOUNTS_LOGIN_EXPIRED']
const minute = 60_000

const seconds = (later = 0): number => Math.floor(Date.now() / 1000) + later
const wait = (milliseconds: number): void => void vi.setSystemTime(Date.now() + milliseconds)

/** Whether the session passes a check for a recent login. */
const isRecent = async (who: Visitor): Promise<boolean> =>
  (await who.send('POST', '/change-email/', { email: 'new@example.org' })).statusCode === 202

/** Ada, who only has an identity, and whose login is no longer recent. */
async function withAda(
  ...given: Parameters<typeof demoApp>
): Promise<{ service: DemoApp; browser: Visitor }> {
  const [own, ...others] = given
  const service = await demoApp({ ...authoritative, ...own }, ...others)
  const browser = visitor(service)
  expect((await browser.logInWith(ada)).statusCode).toBe(303)
  wait(20 * minute)
  return { service, browser }
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-03-01T12:00:00Z') })
})
afterEach(() => vi.useRealTimers())

/** Has the app use the issuer's changed document: the first flow after an hour still uses the old one. */
async function rediscover(service: DemoApp): Promise<void> {
  service.issuer.metadata.authorization_endpoint = `${service.issuer.url}/changed`
  wait(60 * minute)
  await vi.waitUntil(async () => (await visitor(service).start()).includes('/changed?'), 60_000)
  // Which has moved the clock.
  wait(1000 - (Date.now() % 1000))
}

describe('re-authentication at a provider', () => {
  it('confirms, and the session continues with a new cookie', async () => {
    const { service, browser } = await withAda()
    expect(await isRecent(browser)).toBe(false)
    const before = browser.cookies.get('session')
    const location = await browser.start({ next: '/settings' }, '/confirm/with/demo/')
    const { searchParams } = new URL(location)
    expect([searchParams.get('max_age'), searchParams.get('prompt')]).toEqual(['0', 'login'])
    wait(5 * minute)
    const parameters = service.issuer.logIn(location, { ...ada, auth_time: seconds(-100) })
    const done = await browser.comeBack(parameters)
    expect([done.statusCode, done.headers.location]).toEqual([303, 'http://localhost:3000/settings'])
    expect(browser.cookies.get('session')).not.toBe(before)
    expect(await isRecent(browser)).toBe(true)
    expect(await browser.who()).toBe('ada')
  })

  it('must have happened after the flow started, give or take half a minute, according to the ID token', async () => {
    const { service, browser } = await withAda()
    service.issuer.metadata.userinfo_endpoint = `${service.issuer.url}/userinfo`
    await rediscover(service)
    // Userinfo responses aren't signed.
    service.issuer.twist = { userinfo: { ...ada, auth_time: seconds() } }
    const { sub } = ada
    for (const time of [{}, { auth_time: 1.7e15 }, { auth_time: seconds(-31) }, { auth_time: seconds(31) }]) {
      expect(refusalOf(await browser.confirmWith({ sub, ...time }))).toEqual(cannot)
      expect(await isRecent(browser)).toBe(false)
    }
    const asText = await browser.confirmWith({ sub, auth_time: String(seconds()) })
    expect(refusalOf(asText)).toEqual([400, 'ACCOUNTS_PROVIDER_REFUSED'])
    expect(service.issuer.asked.get('/userinfo')).toBe(4)
    expect((await browser.confirmWith({ ...ada, auth_time: seconds(-30) })).statusCode).toBe(303)
  })

  it('must be with an identity of the logged-in account', async () => {
    const { service, browser } = await withAda()
    await visitor(service).logInWith({ sub: 'bob-1', email: 'bob@example.org', email_verified: true })
    for (const sub of ['bob-1', 'nobody-1']) {
      const response = await browser.confirmWith({ ...ada, sub, auth_time: seconds() })
      expect(refusalOf(response)).toEqual([400, 'ACCOUNTS_PROVIDER_REFUSED'])
      expect(response.json()).toMatchObject({
        reason: 'other_account',
        message: expect.stringContaining('You used a different account at Demo.'),
      })
    }
    expect(await isRecent(browser)).toBe(false)
    expect(refusalOf(await visitor(service).send('POST', '/confirm/with/demo/', {}))).toEqual([
      401,
      'ACCOUNTS_LOGIN_REQUIRED',
    ])
    await signUp(service, 'carol')
    const carol = visitor(service)
    await carol.logIn('carol')
    for (const provider of ['demo', 'other'])
      expect(refusalOf(await carol.send('POST', `/confirm/with/${provider}/`, {}))).toEqual([
        404,
        'ACCOUNTS_NOT_FOUND',
      ])
    const unlinked = (await carol.send('POST', '/confirm/with/demo/', {})).json()
    expect([unlinked.reason, unlinked.message]).toEqual([
      'not_linked',
      'Your account isn’t linked with Demo. Confirm another way.',
    ])
    expect(
      (await carol.send('POST', '/confirm/with/demo/', { next: 'https://evil.example' })).statusCode,
    ).toBe(404)
    expect((await browser.send('POST', '/confirm/with/demo/', { next: '//evil.example' })).statusCode).toBe(
      400,
    )
  })

  it('counts only in the session that started it, not in others of the same account', async () => {
    const { service, browser } = await withAda()
    const location = await browser.start({}, '/confirm/with/demo/')
    const parameters = service.issuer.logIn(location, { ...ada, auth_time: seconds() })
    const other = visitor(service)
    await other.logInWith(ada)
    wait(20 * minute)
    for (const [name, value] of browser.cookies) if (name.includes('flow')) other.cookies.set(name, value)
    expect(refusalOf(await other.comeBack(parameters))).toEqual(expired)
    wait(-20 * minute)
    expect(refusalOf(await other.comeBack(parameters))).toEqual(expired)
    expect((await browser.comeBack(parameters)).statusCode).toBe(303)
  })

  it('counts once, even if twenty copies of the browser send it simultaneously to two processes', async () => {
    const stores = { userStore: createMemoryUserStore(), sessionStore: createMemorySessionStore() }
    const { service, browser } = await withAda({}, stores)
    const { issuer } = service
    const demo = {
      name: 'demo',
      issuer: issuer.url,
      clientId: 'app',
      clientSecret: 'secret',
      ...authoritative,
    }
    const second = await testApp({ users: { variant: 'both' }, features: [providers([demo])], ...stores })
    const location = await browser.start({}, '/confirm/with/demo/')
    const parameters = issuer.logIn(location, { ...ada, auth_time: seconds() })
    const copies = Array.from({ length: 20 }, (_, n) => {
      const copy = visitor(n % 2 === 0 ? service : second)
      for (const [name, value] of browser.cookies) copy.cookies.set(name, value)
      return copy
    })
    const responses = await Promise.all(copies.map((copy) => copy.comeBack(parameters)))
    expect(responses.filter(({ statusCode }) => statusCode === 303)).toHaveLength(1)
    const recent = await Promise.all(copies.map(isRecent))
    expect(recent.filter(Boolean)).toHaveLength(1)
  })

  it('counts for nothing if the identity is removed or the sessions end meanwhile', async () => {
    const { service, browser } = await withAda()
    const id = (await browser.send('GET', '/me/')).json().id
    const there = { ...ada, auth_time: seconds() }
    const ended = service.issuer.logIn(await browser.start({}, '/confirm/with/demo/'), there)
    const first = service.issuer.logIn(await browser.start({}, '/confirm/with/demo/'), there)
    const update = service.users.update.bind(service.users)
    // Removed exactly when it is used.
    vi.spyOn(service.users, 'update').mockImplementationOnce(async (_, __, version) => {
      await update(id, { identityKeys: [], credentials: [] }, version)
      return null
    })
    expect(refusalOf(await browser.comeBack(first))).toEqual([401, 'ACCOUNTS_LOGIN_REQUIRED'])
    expect(await isRecent(browser)).toBe(false)
    await service.app.accounts.updateUser(id, { isActive: false })
    await service.app.accounts.updateUser(id, { isActive: true })
    expect(refusalOf(await browser.comeBack(ended))).toEqual(expired)
  })

  it("is no second factor, unless the provider's own authentication is enough", async () => {
    const other = secondFactor()
    const { service, browser } = await withAda({ enough: { acr: ['gold'] } }, {}, {}, [other])
    expect((await browser.confirmWith({ ...ada, auth_time: seconds() })).statusCode).toBe(303)
    const enrolled = await enroll(service, `session=${browser.cookies.get('session')}`)
    browser.cookies.set('session', enrolled.cookie.split('=').slice(1).join('='))
    wait(20 * minute)
    expect(refusalOf(await browser.confirmWith({ ...ada, auth_time: seconds() }))).toEqual(stale)
    expect(await isRecent(browser)).toBe(false)
    const gold = await browser.confirmWith({ ...ada, auth_time: seconds(), acr: 'gold' })
    expect(gold.statusCode).toBe(303)
    expect(await isRecent(browser)).toBe(true)
  })

  it('is not started if it would be rejected', async () => {
    const { service, browser } = await withAda({}, {}, {}, [secondFactor()])
    expect((await browser.confirmWith({ ...ada, auth_time: seconds() })).statusCode).toBe(303)
    const enrolled = await enroll(service, `session=${browser.cookies.get('session')}`)
    browser.cookies.set('session', enrolled.cookie.split('=').slice(1).join('='))
    expect(refusalOf(await browser.send('POST', '/confirm/with/demo/', {}))).toEqual(stale)
  })

  it('is available to users who must enroll', async () => {
    const { browser } = await withAda({}, {}, {}, [secondFactor({ requiredFor: () => true })])
    expect(refusalOf(await browser.send('PATCH', '/me/', {}))).toEqual([403, 'ACCOUNTS_ENROLLMENT_REQUIRED'])
    expect((await browser.confirmWith({ ...ada, auth_time: seconds() })).statusCode).toBe(303)
    expect((await browser.send('POST', '/second-factor/totp/')).statusCode).toBe(200)
  })

  it('is rejected with a message if the provider never reports when the user logged in', async () => {
    const { service, browser } = await withAda()
    service.issuer.metadata.claims_supported = ['sub', 'email']
    await rediscover(service)
    const response = await browser.send('POST', '/confirm/with/demo/', {})
    expect(refusalOf(response)).toEqual(cannot)
    expect(response.json().message).toContain('Demo')
    const plain = await testApp({
      features: [providers([github({ clientId: 'app', clientSecret: 'secret' })])],
    })
    const { id } = await signUp(plain, 'alice')
    const { version = 0 } = (await plain.users.findById(id)) ?? {}
    await plain.users.update(id, { identityKeys: ['oidc:https://github.com|1'] }, version)
    const alice = visitor(plain)
    await alice.logIn()
    expect(refusalOf(await alice.send('POST', '/confirm/with/github/', {}))).toEqual(cannot)
  })
})

describe('a login with a provider', () => {
  it.each([
    ['a login there an hour ago', { auth_time: -3600 }, false],
    ['a login there five minutes ago', { auth_time: -300 }, true],
    ['a clock that is ahead', { auth_time: 3600 }, true],
    ['no time given', {}, true],
  ])('counts as recent based on when the user logged in there: %s', async (_, time, expected) => {
    const service = await demoApp(authoritative)
    const browser = visitor(service)
    const times = Object.entries(time).map(([name, value]) => [name, seconds(value)])
    await browser.logInWith({ ...ada, ...Object.fromEntries(times) })
    expect(await isRecent(browser)).toBe(expected)
    wait(16 * minute)
    expect(await isRecent(browser)).toBe(false)
  })

  it('requests that time if the provider supports it, and ignores it otherwise', async () => {
    const service = await demoApp(authoritative)
    service.issuer.metadata.claims_supported = ['sub', 'auth_time']
    const { searchParams } = new URL(await visitor(service).start())
    expect(JSON.parse(searchParams.get('claims') ?? '')).toEqual({
      id_token: { auth_time: { essential: true } },
    })
    service.issuer.metadata.claims_supported = ['sub']
    await rediscover(service)
    const browser = visitor(service)
    expect(new URL(await browser.start()).searchParams.get('claims')).toBeNull()
    await browser.logInWith({ ...ada, auth_time: seconds(-3600) })
    // Otherwise the account could never confirm again.
    expect(await isRecent(browser)).toBe(true)
  })

  it('is not renewed by linking', async () => {
    const { browser } = await withAda()
    await browser.confirmWith({ ...ada, auth_time: seconds() })
    wait(14 * minute)
    expect((await browser.link({ sub: 'another' })).statusCode).toBe(303)
    wait(2 * minute)
    expect(await isRecent(browser)).toBe(false)
  })
})
