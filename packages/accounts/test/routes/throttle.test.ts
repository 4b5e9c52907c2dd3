import { afterEach, expect, test, vi } from 'vitest'
import { createMemoryThrottleStore } from '../../src/index.js'
import {
  goodPassword,
  linkPath,
  logIn,
  otherPassword,
  signUp,
  type TestApp,
  testApp,
  whoIs,
} from '../support/app.js'

afterEach(() => {
  vi.useRealTimers()
})

const limited = (options: Parameters<typeof testApp>[0] = {}) => testApp({ throttle: {}, ...options })
const wrong = (service: TestApp, username = 'alice', remoteAddress = '127.0.0.1') =>
  service.send('POST', '/login/', { username, password: otherPassword }, { remoteAddress })
const right = (service: TestApp, username = 'alice', remoteAddress = '127.0.0.1') =>
  service.send('POST', '/login/', { username, password: goodPassword }, { remoteAddress })

test('THR-01 five failures on an account are answered, then also the right password is 429, known or unknown', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const service = await limited()
  await signUp(service)
  for (const name of ['alice', 'nobody']) {
    const spellings = [name, name.toUpperCase(), `${name[0]?.toUpperCase()}${name.slice(1)}`, name, name]
    for (const [index, each] of spellings.entries()) {
      expect((await wrong(service, each, `10.0.0.${index}`)).statusCode).toBe(401)
    }
    const sixth = await right(service, name, '10.0.0.9')
    expect([sixth.statusCode, sixth.json().code]).toEqual([429, 'ACCOUNTS_THROTTLED'])
    expect(Number(sixth.headers['retry-after'])).toBeGreaterThan(290)
    expect(sixth.headers).toMatchObject({ 'ratelimit-limit': '5', 'ratelimit-remaining': '0' })
  }
  const verifications = service.hasher.verifications
  await right(service)
  expect(service.hasher.verifications).toBe(verifications)
  vi.setSystemTime(Date.now() + 5 * 60_000 + 1000)
  expect((await right(service)).statusCode).toBe(200)
})

test('THR-07 a success clears the counter of its own account only', async () => {
  const service = await limited()
  await signUp(service, 'alice')
  await signUp(service, 'mallory')
  for (let round = 0; round < 5; round += 1) {
    expect((await wrong(service)).statusCode).toBe(401)
    expect((await right(service, 'mallory')).statusCode).toBe(200)
  }
  expect((await wrong(service)).statusCode).toBe(429)
  for (let round = 0; round < 4; round += 1) await wrong(service, 'mallory')
  expect((await right(service, 'mallory')).statusCode).toBe(200)
  for (let round = 0; round < 5; round += 1) expect((await wrong(service, 'mallory')).statusCode).toBe(401)
})

test('THR-08 the owner gets back in by the mailed link, and live sessions go on meanwhile', async () => {
  const service = await limited()
  await signUp(service, 'alice', { email: 'alice@example.org' })
  const cookie = await logIn(service)
  for (let round = 0; round < 8; round += 1) await wrong(service)
  expect(await whoIs(service, cookie)).toBe('alice')
  expect((await right(service)).statusCode).toBe(429)
  await service.send('POST', '/forgot/', { email: 'alice@example.org' })
  const form = { new_password: otherPassword, confirm_password: otherPassword }
  const done = await service.send('POST', linkPath(await service.mail('reset-password')), form)
  expect((await wrong(service)).statusCode).toBe(200)

  // From then on the owner's browser is known, and guessing goes on in vain.
  for (let round = 0; round < 6; round += 1) await right(service)
  expect((await wrong(service)).statusCode).toBe(429)
  const device = `accounts-device=${done.cookies[0]?.value}`
  const known = await service.send(
    'POST',
    '/login/',
    { username: 'alice', password: otherPassword },
    { headers: { cookie: device } },
  )
  expect(known.statusCode).toBe(200)
})

test('of 200 parallel tries on one account exactly five reach the hasher', async () => {
  const service = await limited()
  await signUp(service)
  const before = service.hasher.verifications
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, index) => wrong(service, 'alice', `10.0.${index}.1`)),
  )
  expect(service.hasher.verifications - before).toBe(5)
  expect(answers.filter((answer) => answer.statusCode === 401)).toHaveLength(5)
  expect(answers.filter((answer) => answer.statusCode === 429)).toHaveLength(195)
})

test('THR-02 THR-04 a client IP has 30 logins a minute, with RateLimit headers; IPv6 counts by /64', async () => {
  const service = await limited()
  const spellings = ['2001:db8::1', '2001:DB8:0:0:1::2', '2001:db8::ffff:3']
  for (let index = 0; index < 30; index += 1) {
    const response = await wrong(service, `user${index}`, spellings[index % 3])
    expect(response.statusCode).toBe(401)
    expect(response.headers['ratelimit-remaining']).toBe(String(29 - index))
  }
  const over = await wrong(service, 'another', '2001:db8::abcd')
  expect([over.statusCode, over.json().code]).toEqual([429, 'ACCOUNTS_THROTTLED'])
  expect(over.headers).toMatchObject({ 'ratelimit-limit': '30', 'ratelimit-remaining': '0' })
  expect(Number(over.headers['retry-after'])).toBeGreaterThan(0)
  expect((await wrong(service, 'another', '2001:db8:0:1::1')).statusCode).toBe(401)
  expect((await wrong(service, 'another', '::ffff:10.1.2.3')).statusCode).toBe(401)
  expect((await wrong(service, 'another', '10.1.2.3')).headers['ratelimit-remaining']).toBe('28')
  expect((await wrong(service, 'another', '10.1.2.4')).headers['ratelimit-remaining']).toBe('29')
})

test('THR-03 a header that nobody trusts moves nobody to another bucket', async () => {
  const service = await limited()
  for (let index = 0; index < 31; index += 1) {
    const headers = {
      'x-forwarded-for': `10.9.8.${index}`,
      forwarded: `for=10.9.8.${index}`,
      'x-real-ip': `10.9.8.${index}`,
    }
    const body = { username: `user${index}`, password: 'wrong password' }
    const response = await service.send('POST', '/login/', body, { headers })
    expect(response.statusCode).toBe(index < 30 ? 401 : 429)
  }
})

test('40 parallel requests of one client: 30 pass, not none', async () => {
  const service = await limited()
  const answers = await Promise.all(Array.from({ length: 40 }, (_, index) => wrong(service, `user${index}`)))
  expect(answers.filter((answer) => answer.statusCode === 401)).toHaveLength(30)
})

test('RST-22 over five mails an hour the answer stays 202 and no mail goes out', async () => {
  const service = await limited({ users: true, requireEmailConfirmation: true })
  const email = 'alice@example.org'
  const body = { username: 'alice', password: goodPassword, confirm_password: goodPassword, email }
  await service.send('POST', '/user/', body)
  const spelled = [email, 'ALICE@example.org', ' alice@example.org', 'Alice@Example.org', email, email, email]
  for (const each of spelled) {
    expect((await service.send('POST', '/forgot/', { email: each })).statusCode).toBe(202)
    expect((await service.send('POST', '/user/v/', { email: each })).statusCode).toBe(202)
  }
  await service.settle()
  const kinds = service.mails.map((mail) => mail.kind)
  expect(kinds.filter((kind) => kind === 'reset-password')).toHaveLength(5)
  expect(kinds.filter((kind) => kind === 'verify-email')).toHaveLength(5)
})

test.each([
  ['/forgot/', { email: 'a@example.org' }, 20],
  ['/user/v/', { email: 'a@example.org' }, 20],
  ['/reset/dQ/x/', {}, 20],
  ['/user/v/dQ/x/', {}, 20],
] as const)('THR-10 %s takes so many requests a client a minute', async (url, body, max) => {
  const service = await limited()
  for (let index = 0; index < max; index += 1) {
    const spelled = url.replace('/x/', `/x${index}/`)
    const method = index % 2 && spelled !== url ? 'GET' : 'POST'
    const response = await service.send(
      method,
      index % 3 ? spelled : spelled.slice(0, -1),
      method === 'GET' ? undefined : body,
    )
    expect(response.statusCode).not.toBe(429)
  }
  expect((await service.send('POST', url, body)).statusCode).toBe(429)
})

test('CRE-10 both ways to create share one budget', async () => {
  const service = await limited()
  for (let index = 0; index < 20; index += 1) {
    expect((await service.send('POST', index % 2 ? '/user/' : '/signup/', {})).statusCode).toBe(400)
  }
  expect((await service.send('POST', '/user/', {})).statusCode).toBe(429)
  expect((await service.send('POST', '/signup/', {})).statusCode).toBe(429)
})

test('THR-11 a user has five tries a minute to change the password', async () => {
  const service = await limited()
  await signUp(service)
  const cookie = await logIn(service)
  const body = {
    old_password: 'wrong password',
    new_password: otherPassword,
    confirm_password: otherPassword,
  }
  const change = (changes: object = {}) =>
    service.send('POST', '/change-password/', { ...body, ...changes }, { headers: { cookie } })
  for (let index = 0; index < 5; index += 1) expect((await change()).statusCode).toBe(400)
  const over = await change({ old_password: goodPassword })
  expect([over.statusCode, over.json().code]).toEqual([429, 'ACCOUNTS_THROTTLED'])
  expect(over.headers).toMatchObject({ 'ratelimit-limit': '5', 'ratelimit-remaining': '0' })
  expect(over.headers['ratelimit-reset']).toBe(over.headers['retry-after'])
  expect(await whoIs(service, cookie)).toBe('alice')
})

test('THR-12 where tries cannot be counted the answer is 503, and nothing is hashed', async () => {
  const store = createMemoryThrottleStore()
  const service = await testApp({ throttle: { store } })
  await signUp(service)
  const verifications = service.hasher.verifications
  store.increment = async () => {
    throw new Error('redis is away')
  }
  const response = await right(service)
  expect([response.statusCode, response.json().code, response.headers['retry-after']]).toEqual([
    503,
    'ACCOUNTS_UNAVAILABLE',
    '5',
  ])
  expect(service.hasher.verifications).toBe(verifications)
})

test('limits can be set one by one', async () => {
  const service = await testApp({ throttle: { limits: { loginAccount: { max: 1, window: 60_000 } } } })
  await signUp(service)
  expect((await wrong(service)).statusCode).toBe(401)
  expect((await wrong(service)).statusCode).toBe(429)
})

test('THR-08 a device that has logged in before keeps a budget of its own while others guess', async () => {
  const service = await limited()
  await signUp(service)
  await signUp(service, 'bob')
  const first = await right(service)
  const device = first.cookies.find((each) => each.name === 'accounts-device')
  expect(device).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/', maxAge: 365 * 24 * 3600 })
  const cookie = `accounts-device=${device?.value}`
  const from = (username: string, password: string, headers: Record<string, string>) =>
    service.send('POST', '/login/', { username, password }, { headers })
  for (let round = 0; round < 5; round += 1) await wrong(service)
  expect((await right(service)).statusCode).toBe(429)
  const known = await from('alice', goodPassword, { cookie })
  expect(known.statusCode).toBe(200)
  expect(known.cookies.map((each) => each.name)).toEqual(['session'])
  expect((await right(service)).statusCode).toBe(429)

  for (let round = 0; round < 5; round += 1) {
    expect((await from('alice', otherPassword, { cookie })).statusCode).toBe(401)
  }
  expect((await from('alice', goodPassword, { cookie })).statusCode).toBe(429)

  for (let round = 0; round < 5; round += 1) await wrong(service, 'bob')
  expect((await from('bob', goodPassword, { cookie })).statusCode).toBe(429)
  const forged = `accounts-device=${Buffer.alloc(48, 7).toString('base64url')}`
  expect((await from('bob', goodPassword, { cookie: forged })).statusCode).toBe(429)
})

test('requests that send no mail leave the mails of an address alone', async () => {
  const service = await limited({ requireEmailConfirmation: true })
  const email = 'alice@example.org'
  for (let round = 0; round < 8; round += 1) {
    await service.send('POST', '/signup/v/', { email })
    await service.send('POST', '/forgot/', { email })
  }
  const body = { username: 'alice', password: goodPassword, confirm_password: goodPassword, email }
  expect((await service.send('POST', '/signup/', body)).statusCode).toBe(202)
  await service.mail('verify-email', email)
  await service.send('POST', '/forgot/', { email })
  await service.mail('reset-password', email)
})

test('a device cookie of before a change of password is worth nothing after it', async () => {
  const service = await limited()
  const user = await signUp(service)
  const device = (await right(service)).cookies.find((each) => each.name === 'accounts-device')
  await service.app.accounts.setPassword(user.id, otherPassword)
  for (let round = 0; round < 5; round += 1) await right(service)
  const headers = { cookie: `accounts-device=${device?.value}` }
  const guess = await service.send(
    'POST',
    '/login/',
    { username: 'alice', password: otherPassword },
    { headers },
  )
  expect(guess.statusCode).toBe(429)
})

test('a slow guesser meets the limit of the day; the right password, or a reset, begins it anew', async () => {
  const service = await testApp({ throttle: { limits: { loginAccountDay: { max: 3, window: 86_400_000 } } } })
  await signUp(service, 'alice', { email: 'alice@example.org' })
  const failed = async (count: number) => {
    for (let n = 0; n < count; n += 1) expect((await wrong(service)).statusCode).toBe(401)
  }
  await failed(2)
  expect((await right(service)).statusCode).toBe(200)
  await failed(3)
  const refused = await right(service)
  expect(refused.statusCode).toBe(429)
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(80_000)

  await service.send('POST', '/forgot/', { email: 'alice@example.org' })
  const link = linkPath(await service.mail('reset-password'))
  const body = { new_password: goodPassword, confirm_password: goodPassword }
  expect((await service.send('POST', link, body)).statusCode).toBe(204)
  expect((await right(service)).statusCode).toBe(200)
})
