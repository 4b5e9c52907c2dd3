import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import {
  goodPassword,
  logIn,
  otherPassword,
  signUp,
  type TestApp,
  testApp,
} from '@fastify-accounts/test-support/app'
import { type TokenClient, tokenClient } from '@fastify-accounts/test-support/tokens'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Feature, finishLogin, route } from '../src/features/index.js'
import { frameworkErrors, tokens } from '../src/index.js'

const minute = 60_000
const day = 24 * 60 * minute

let service: TestApp
let phone: TokenClient

const password = { username: 'alice', password: goodPassword }
const me = (client: TokenClient) => client.send('GET', '/me/')

beforeEach(async () => {
  // Only the clock: responses still come by themselves.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
  service = await testApp({ features: [tokens()] })
  await signUp(service, 'alice', { email: 'alice@example.org' })
  phone = tokenClient(service, 'Phone')
  await phone.send('POST', '/login/', password)
})
afterEach(() => vi.useRealTimers())

describe('a login', () => {
  test('is delivered as tokens to a client that asks, with the body of always and no cookie', async () => {
    const response = await tokenClient(service).send('POST', '/login/', password)
    expect(response.statusCode).toBe(200)
    expect(response.json()).toMatchObject({
      username: 'alice',
      tokens: {
        access_token: expect.stringMatching(/^fat_/),
        token_type: 'Bearer',
        expires_in: 900,
        refresh_token: expect.stringMatching(/^far_/),
        refresh_expires_in: 60 * 24 * 3600,
      },
    })
    expect(response.headers['set-cookie']).toBeUndefined()
    expect(response.headers['cache-control']).toBe('no-store')
  })

  test('is a session like others: listed with its name, ended in the list, by a logout and by a new password', async () => {
    const cookie = await logIn(service)
    const list = await service.send('GET', '/sessions/', undefined, { headers: { cookie } })
    const { results } = list.json<{ results: { id: string; name: string | null; current: boolean }[] }>()
    expect(results.map(({ name, current }) => [name, current]).sort()).toEqual([
      [null, true],
      ['Phone', false],
    ])
    const own = await phone.send('GET', '/sessions/')
    expect(own.json().results.find((each: { current: boolean }) => each.current)).toMatchObject({
      name: 'Phone',
    })
    const id = results.find(({ name }) => name === 'Phone')?.id
    await service.send('DELETE', `/sessions/${id}`, undefined, { headers: { cookie } })
    expect((await me(phone)).statusCode).toBe(401)
    expect((await phone.refresh()).statusCode).toBe(401)

    const tablet = tokenClient(service)
    await tablet.send('POST', '/login/', password)
    expect((await tablet.send('POST', '/logout/')).statusCode).toBe(204)
    expect((await me(tablet)).statusCode).toBe(401)

    await tablet.send('POST', '/login/', password, { authorization: '' })
    const change = {
      old_password: goodPassword,
      new_password: otherPassword,
      confirm_password: otherPassword,
    }
    await service.send('POST', '/change-password/', change, { headers: { cookie } })
    expect((await me(tablet)).statusCode).toBe(401)
    expect((await tablet.refresh()).statusCode).toBe(401)
  })
})

test.each([
  ['tokens', null],
  [' tokens ; name="My \\"phone\\""', 'My "phone"'],
  ['tokens; name=%"Ad%c3%a4s phone"', 'Adäs phone'],
  [`tokens; name="${'x'.repeat(64)}"`, 'x'.repeat(64)],
])('asked for as %s, the session is called %s', async (asked, name) => {
  const app = tokenClient(service)
  await app.send('POST', '/login/', password, { 'accounts-delivery': asked })
  const { results } = (await app.send('GET', '/sessions/')).json()
  expect(results.find((each: { current: boolean }) => each.current).name).toBe(name)
})

test.each([
  'token',
  'cookie',
  'tokens; name=x',
  'tokens; name="\u00e9"',
  'tokens; name=%"%e2%80%ae"',
  `tokens; name="${'x'.repeat(65)}"`,
])('asked for as %s, nothing is delivered', async (asked) => {
  const response = await service.send('POST', '/login/', password, {
    headers: { 'accounts-delivery': asked },
  })
  expect(response.statusCode).toBe(400)
  expect(response.json().fields).toMatchObject([{ field: 'accounts-delivery', code: 'invalid' }])
  expect(response.headers['set-cookie']).toBeUndefined()
  expect(response.headers['content-language']).toBe('en')
})

test('as many spaces as a header takes cost no time', async () => {
  const headers = { 'accounts-delivery': `tokens${' '.repeat(15_000)}x` }
  const begin = performance.now()
  expect((await service.send('GET', '/api-root/', undefined, { headers })).statusCode).toBe(400)
  // With two patterns for spaces it is more than a second.
  expect(performance.now() - begin).toBeLessThan(500)
})

describe('an access token', () => {
  test('counts alone: no cookie is read beside it, and a wrong one is never replaced by a cookie', async () => {
    const cookie = await logIn(service)
    await signUp(service, 'bob')
    const bob = tokenClient(service)
    await bob.send('POST', '/login/', { username: 'bob', password: goodPassword })
    expect((await bob.send('GET', '/me/', undefined, { cookie })).json()).toMatchObject({ username: 'bob' })
    const token = bob.tokens?.access_token ?? ''
    const changed = token.at(-10) === 'A' ? 'B' : 'A'
    for (const forged of [`${token}A`, token.slice(0, -10) + changed + token.slice(-9)]) {
      const response = await service.send('GET', '/me/', undefined, {
        headers: { cookie, authorization: `Bearer ${forged}` },
      })
      expect([forged, response.statusCode]).toEqual([forged, 401])
      expect(response.headers['www-authenticate']).toBe('Bearer error="invalid_token"')
    }
  })

  test('of another kind, of a host and of nobody', async () => {
    const cookie = await logIn(service)
    const as = (authorization: string) =>
      service.send('GET', '/me/', undefined, { headers: { cookie, authorization } })
    expect((await as('Bearer eyJhbGciOiJIUzI1NiJ9.e30.x')).statusCode).toBe(200)
    expect((await as('Basic Zm9vOmJhcg==')).statusCode).toBe(200)
    expect((await as(`Bearer ${phone.tokens?.refresh_token}`)).statusCode).toBe(401)
    expect((await as(`bearer  ${phone.tokens?.access_token} `)).statusCode).toBe(200)
  })

  test('ends after 15 minutes, and a forged or ended one costs no look-up', async () => {
    const find = vi.spyOn(service.sessions, 'find')
    vi.setSystemTime(Date.now() + 15 * minute)
    expect((await me(phone)).statusCode).toBe(401)
    expect(find).not.toHaveBeenCalled()
    expect((await phone.refresh()).statusCode).toBe(200)
    expect((await me(phone)).statusCode).toBe(200)
  })

  test('is remembered without the rest of its header, which may be long', async () => {
    const limits = { refreshTokens: { max: 1000, window: minute } }
    const app = await testApp({ features: [tokens()], throttle: { limits } })
    await signUp(app, 'alice')
    const client = tokenClient(app)
    await client.send('POST', '/login/', password)
    const before = heapInUse()
    for (let n = 0; n < 300; n += 1) {
      await client.refresh()
      const authorization = `Bearer ${' '.repeat(15_000)}${client.tokens?.access_token}`
      const response = await app.send('GET', '/me/', undefined, { headers: { authorization } })
      expect(response.statusCode).toBe(200)
    }
    // Of 4.5 million.
    await expect.poll(() => heapInUse() - before).toBeLessThan(2_000_000)
  })
})

describe('a refresh', () => {
  test('with the same token is the same session for all who send it at once', async () => {
    const responses = await Promise.all(Array.from({ length: 20 }, () => phone.copy().refresh()))
    expect(responses.map(({ statusCode }) => statusCode)).toEqual(Array(20).fill(200))
    const successors = new Set(responses.map((each) => each.json().tokens.refresh_token))
    expect(successors.size).toBe(1)
    expect([...service.sessions.rows.values()].map(({ generation }) => generation)).toEqual([2])
  })

  test('whose response was lost works again, even an hour later', async () => {
    const before = phone.copy()
    await phone.refresh()
    vi.setSystemTime(Date.now() + 60 * minute)
    const tab = before.copy()
    expect((await before.refresh()).statusCode).toBe(200)
    expect((await me(before)).statusCode).toBe(200)
    // Of a tab that had the same one, and is late.
    vi.setSystemTime(Date.now() + 29_000)
    expect((await tab.refresh()).json().tokens.refresh_token).toBe(before.tokens?.refresh_token)
    expect((await me(tab)).statusCode).toBe(200)
  })

  test('of a tab that is late works for 30 seconds once another uses the successor', async () => {
    const tab = phone.copy()
    await phone.refresh()
    expect((await me(phone)).statusCode).toBe(200)
    vi.setSystemTime(Date.now() + 29_000)
    expect((await tab.refresh()).statusCode).toBe(200)
    expect((await me(tab)).statusCode).toBe(200)
  })

  test('of a tab that is late works although the other tab has confirmed since, without the confirmation', async () => {
    const tab = phone.copy()
    await phone.refresh()
    expect((await me(phone)).statusCode).toBe(200)
    await phone.send('POST', '/confirm/', { password: goodPassword })
    expect((await me(phone)).statusCode).toBe(200)
    expect((await tab.refresh()).statusCode).toBe(200)
    expect((await me(tab)).statusCode).toBe(200)
    const asked = await tab.send('POST', '/change-email/', { email: 'new@example.org' })
    expect(asked.json().code).toBe('ACCOUNTS_CONFIRMATION_REQUIRED')
  })

  test('ahead of the owner, by a thief who uses nothing before the owner does, is found out', async () => {
    const thief = phone.copy()
    const uses: number[] = []
    for (let refreshes = 0; refreshes < 3; refreshes += 1) {
      const ahead = thief.copy()
      await ahead.refresh()
      vi.setSystemTime(Date.now() + 10 * minute)
      await phone.refresh()
      uses.push((await me(phone)).statusCode)
      thief.tokens = ahead.tokens
      vi.setSystemTime(Date.now() + 4 * minute)
    }
    expect(uses).toEqual([200, 401, 401])
    expect((await service.mail('token-reused')).to.address).toBe('alice@example.org')
  })

  test('with a stolen token ends the session, whoever is first, and the owner hears of it', async () => {
    for (const thiefIsFirst of [true, false]) {
      const owner = tokenClient(service)
      await owner.send('POST', '/login/', password)
      const thief = owner.copy()
      const [first, second] = thiefIsFirst ? [thief, owner] : [owner, thief]
      await first.refresh()
      expect((await me(first)).statusCode).toBe(200)
      vi.setSystemTime(Date.now() + minute)
      expect((await second.refresh()).statusCode).toBe(401)
      expect((await first.refresh()).statusCode).toBe(401)
      expect((await me(first)).statusCode).toBe(401)
      expect((await service.mail('token-reused')).to.address).toBe('alice@example.org')
      service.mails.length = 0
    }
  })

  test('with a stolen token is told with the name of the app, at a verified address only', async () => {
    const { accounts } = service.app
    const alice = await accounts.findUser({ username: 'alice' })
    for (const isVerified of [false, true]) {
      await accounts.updateUser(alice?.id ?? '', { isVerified })
      const owner = tokenClient(service, 'Phone of alice.example')
      await owner.send('POST', '/login/', password)
      const thief = owner.copy()
      await owner.refresh()
      await me(owner)
      vi.setSystemTime(Date.now() + minute)
      service.mails.length = 0
      await thief.refresh()
      const { text } = await service.mail('token-reused')
      // Without a link that a thief could have put there.
      expect(text.includes('App or device: Phone of alice․example.')).toBe(isVerified)
      expect(text).not.toContain('alice.example.')
    }
  })

  test('keeps the session until its absolute end, and not beyond', async () => {
    for (let days = 0; days < 350; days += 50) {
      vi.setSystemTime(Date.now() + 50 * day)
      expect((await phone.refresh()).statusCode).toBe(200)
    }
    vi.setSystemTime(Date.now() + 15 * day - minute)
    const { tokens: last } = (await phone.refresh()).json()
    expect(last).toMatchObject({ expires_in: 60, refresh_expires_in: 60 })
    vi.setSystemTime(Date.now() + minute)
    expect((await phone.refresh()).statusCode).toBe(401)
  })
})

describe('a confirmation', () => {
  const changeEmail = (client: TokenClient, email: string) => client.send('POST', '/change-email/', { email })

  test('counts for the tokens made with it, not for a stolen one', async () => {
    vi.setSystemTime(Date.now() + 14 * minute)
    const thief = phone.copy()
    const response = await phone.send('POST', '/confirm/', { password: goodPassword })
    expect(response.statusCode).toBe(200)
    expect(Object.keys(response.json())).toEqual(['tokens'])
    expect((await changeEmail(thief, 'thief@example.org')).json()).toMatchObject({
      code: 'ACCOUNTS_CONFIRMATION_REQUIRED',
    })
    // The thief gets the successor of the old token, without the confirmation.
    expect((await thief.refresh()).statusCode).toBe(200)
    expect((await changeEmail(thief, 'thief@example.org')).statusCode).toBe(403)
    await phone.send('POST', '/confirm/', { password: goodPassword })
    expect((await changeEmail(phone, 'alice@example.net')).statusCode).toBe(202)
  })
})

test('a new password of its own: the app goes on with new tokens, and those before it end', async () => {
  const before = phone.copy()
  const change = { old_password: goodPassword, new_password: otherPassword, confirm_password: otherPassword }
  const response = await phone.send('POST', '/change-password/', change)
  expect(response.statusCode).toBe(200)
  expect((await me(phone)).statusCode).toBe(200)
  expect((await me(before)).statusCode).toBe(401)
  expect((await before.refresh()).statusCode).toBe(401)
  expect((await phone.refresh()).statusCode).toBe(200)
})

test.each([
  [
    'a body',
    { type: 'object', properties: { welcome: { type: 'string' } } },
    { welcome: 'Alice', hidden: true },
  ],
  ['an empty body', { type: 'object', properties: {} }, { hidden: true }],
])("a feature's login that says nothing of sessions delivers them beside %s", async (_, reply, body) => {
  const badge: Feature = {
    name: 'badge',
    routes: () => ({
      auth: [
        route({
          name: 'badge',
          action: 'login',
          method: 'POST',
          path: '/login/badge/',
          operation: { id: 'logInWithBadge', summary: 'Log in with a badge' },
          access: 'anyone',
          budget: null,
          schema: { response: { 200: reply } },
          async handle({ client }, deps) {
            const user = await deps.users.findByUsername('alice')
            if (user !== null) await finishLogin(deps, client, { user, methods: ['hwk'] }, false)
            return { body }
          },
        }),
      ],
    }),
  }
  const { app } = await testApp({
    features: [tokens(), badge],
    userStore: service.users,
    sessionStore: service.sessions,
  })
  const send: TestApp['send'] = (method, url, payload, extra = {}) =>
    app.inject({ ...extra, method: method ?? 'GET', url, ...(payload && { payload }) })
  const door = tokenClient({ send })
  const response = await door.send('POST', '/login/badge/')
  expect(response.statusCode).toBe(200)
  const { tokens: delivered, ...rest } = response.json()
  expect(delivered).toMatchObject({ token_type: 'Bearer' })
  expect(rest).toEqual('welcome' in body ? { welcome: 'Alice' } : {})
  expect((await me(door)).statusCode).toBe(200)
})

test('a revoked token ends its session; whatever else is sent, the response is the same', async () => {
  const revoke = (token: string) => service.send('POST', '/tokens/revoke/', { token })
  expect((await revoke('far_nonsense')).json()).toEqual({})
  expect((await revoke(phone.tokens?.refresh_token ?? '')).statusCode).toBe(200)
  expect((await revoke(phone.tokens?.refresh_token ?? '')).statusCode).toBe(200)
  expect((await me(phone)).statusCode).toBe(401)
})

/** Bytes, after a garbage collection. */
function heapInUse(): number {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  return process.memoryUsage().heapUsed
}

test('a state with a part that no cookie could have counts as none', async () => {
  const state = Buffer.from('[["session-device","\\ud800",9000000000]]').toString('base64url')
  const response = await tokenClient(service).send('POST', '/login/', password, { 'accounts-state': state })
  expect(response.statusCode).toBe(200)
})

test('an error on a page is JSON for a client with tokens, whatever it accepts', async () => {
  const { app } = await testApp({ features: [tokens()] }, { server: { frameworkErrors } })
  for (const headers of [{ 'accounts-delivery': 'tokens' }, { authorization: 'Bearer fat_wrong' }]) {
    const ask = (url: string) => app.inject({ url, headers: { ...headers, accept: 'text/html' } })
    expect((await ask('/reset/abc/def/')).json().code).toBe('ACCOUNTS_INVALID_LINK')
    expect((await ask('/reset/%ff/def/')).json().code).toBe('FST_ERR_BAD_URL')
  }
})
