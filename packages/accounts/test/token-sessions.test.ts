import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { goodPassword, signUp, type TestApp, testApp } from '@fastify-accounts/test-support/app'
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

test.each<[object, string]>([
  [{ refresh: 'no' }, 'tokens.refresh must be true or false, got no'],
  [
    { refresh: false, access: minute },
    'tokens.access must be left out with tokens.refresh: false, got 60000',
  ],
  [
    { refresh: false, idle: minute - 1 },
    'tokens.idle must be milliseconds, from a minute to tokens.absolute, got 59999',
  ],
  [
    { refresh: false, absolute: minute - 1 },
    'tokens.absolute must be milliseconds, from a minute to ten years, got 59999',
  ],
  [{ access: minute - 1 }, 'tokens.access must be milliseconds, from a minute to a day, got 59999'],
  [
    { idle: 29 * minute },
    'tokens.idle must be milliseconds, from twice tokens.access to tokens.absolute, got 1740000',
  ],
  [
    { idle: day, absolute: day - 1 },
    'tokens.idle must be milliseconds, from twice tokens.access to tokens.absolute, got 86400000',
  ],
  [{ refreshes: false }, 'tokens.refreshes is not an option'],
])('the options %j stop the start', async (options, line) => {
  await expect(testApp({ features: [tokens(options)] })).rejects.toThrow(line)
})

test('without refresh tokens the limit of refreshes stops the start, and a session may last a minute', async () => {
  const features = [tokens({ refresh: false, idle: minute, absolute: minute })]
  const limits = { refreshTokens: { max: 1, window: minute } }
  await expect(testApp({ features, throttle: { limits } })).rejects.toThrow('refreshTokens')
  await testApp({ features })
})

describe('an access token', () => {
  test('that has ended costs no look-up', async () => {
    const find = vi.spyOn(service.sessions, 'find')
    vi.setSystemTime(Date.now() + 15 * minute)
    expect((await me(phone)).statusCode).toBe(401)
    expect(find).not.toHaveBeenCalled()
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
      expect(text.includes('Phone of alice․example')).toBe(isVerified)
      expect(text).not.toContain('alice.example')
    }
  })

  test('gets tokens that end with the session', async () => {
    service = await testApp({ features: [tokens({ idle: day, absolute: day })] })
    await signUp(service)
    phone = tokenClient(service)
    await phone.send('POST', '/login/', password)
    vi.setSystemTime(Date.now() + day - minute)
    expect((await phone.refresh()).json().tokens).toMatchObject({ expires_in: 60, refresh_expires_in: 60 })
  })
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
