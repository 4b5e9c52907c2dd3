import { Writable } from 'node:stream'
import { goodPassword, logIn, type TestApp, testApp } from '@fastify-accounts/test-support/app'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createMemoryOutbox } from '../src/defaults/memory-outbox.js'
import {
  ContendedError,
  createMemoryThrottleStore,
  createMemoryUserStore,
  createScryptHasher,
  DuplicateError,
} from '../src/index.js'

// The lines match docs/deployment.md.
// Before, a ten-line stack per request buried the cause.

interface Line {
  level: number
  msg: string
  err?: { stack: string }
  failed?: number
  ms?: number
}

const away = () => Promise.reject(new Error('connect ECONNREFUSED 10.0.0.5:5432'))
const alice = { username: 'alice', password: goodPassword }
const logInAs = ({ send }: TestApp) => send('POST', '/login/', alice)

/** All log lines, and those of level warn and above. */
async function logged(options: Parameters<typeof testApp>[0] = {}) {
  const lines: Line[] = []
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(JSON.parse(String(chunk)))
      done()
    },
  })
  const service = await testApp(options, { server: { logger: { level: 'info', stream } } })
  const body = { username: 'alice', email: 'alice@example.org', password: goodPassword }
  await service.send('POST', '/user/', { ...body, confirm_password: goodPassword })
  const cookie = await logIn(service)
  lines.length = 0
  const loud = () => lines.filter(({ level }) => level > 30).map(({ level, msg }) => [level, msg])
  return { ...service, cookie, lines, loud }
}

/** Without moving the clock. */
async function turns(until: () => boolean): Promise<void> {
  while (!until()) await new Promise((resolve) => void setImmediate(resolve))
}

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => void vi.useRealTimers())

const begins = 'accounts: the user store is unavailable: connect ECONNREFUSED 10.0.0.5:5432'

test('FLT-16 an outage is two lines, its cause and its duration, however many requests it affects', async () => {
  const service = await logged()
  const { findByUsername, findById } = service.users
  Object.assign(service.users, { findByUsername: away, findById: away })
  const headers = { cookie: service.cookie }
  for (let round = 0; round < 600; round += 1) {
    expect((await logInAs(service)).statusCode).toBe(503)
    expect((await service.send('GET', '/me/', undefined, { headers })).statusCode).toBe(503)
  }
  expect(service.loud()).toEqual([[50, begins]])
  await vi.advanceTimersByTimeAsync(24_000)
  Object.assign(service.users, { findByUsername, findById })
  expect((await logInAs(service)).statusCode).toBe(200)
  expect(service.loud()).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(5_000)

  const ends = 'accounts: the user store is available again after 24 s, 1,200 calls failed'
  expect(service.loud()).toEqual([
    [50, begins],
    [40, ends],
  ])
  expect(service.lines.filter(({ err }) => err !== undefined)).toHaveLength(1)
  expect(service.lines.find(({ msg }) => msg === ends)).toMatchObject({ failed: 1200, ms: 24_000 })
  // Each request still has its own single line.
  expect(service.lines.filter(({ msg }) => msg === 'accounts: the request was rejected')).toHaveLength(1200)
})

test('FLT-16 an intermittently failing store is one outage, and the next failure another', async () => {
  const service = await logged()
  const { findByUsername } = service.users
  for (let round = 0; round < 10; round += 1) {
    service.users.findByUsername = away
    await logInAs(service)
    service.users.findByUsername = findByUsername
    await logInAs(service)
    await vi.advanceTimersByTimeAsync(4_000)
  }
  expect(service.loud()).toEqual([[50, begins]])
  await vi.advanceTimersByTimeAsync(1_000)
  expect(service.loud()).toEqual([
    [50, begins],
    [40, 'accounts: the user store is available again after 36 s, 10 calls failed'],
  ])
  service.users.findByUsername = away
  await logInAs(service)
  expect(service.loud()).toHaveLength(3)
})

test('a store that reads but cannot write is one outage, however rarely it is asked to write', async () => {
  const service = await logged()
  const { update } = service.users
  service.users.update = away
  const headers = { cookie: service.cookie }
  for (let round = 0; round < 20; round += 1) {
    if (round % 5 === 0) expect((await logInAs(service)).statusCode).toBe(503)
    expect((await service.send('GET', '/me/', undefined, { headers })).statusCode).toBe(200)
    await vi.advanceTimersByTimeAsync(6_000)
  }
  expect(service.loud()).toEqual([[50, begins]])
  service.users.update = update
  expect((await logInAs(service)).statusCode).toBe(200)
  await vi.advanceTimersByTimeAsync(6_000)
  expect(service.loud()).toEqual([
    [50, begins],
    [40, 'accounts: the user store is available again after 2 min, 4 calls failed'],
  ])
})

test('FLT-35 an outbox that cannot be written is one outage, though polls that find nothing only read', async () => {
  const outbox = createMemoryOutbox()
  const service = await logged({ userStore: Object.assign(createMemoryUserStore(), { outbox }) })
  const { add } = outbox
  outbox.add = away
  const post = () => service.send('POST', '/forgot/', { email: 'alice@example.org' })
  for (let round = 0; round < 20; round += 1) {
    await post()
    await service.app.accounts.check()
    await vi.advanceTimersByTimeAsync(6_000)
  }
  const begun = [50, 'accounts: the outbox is unavailable: connect ECONNREFUSED 10.0.0.5:5432']
  expect(service.loud()).toEqual([begun])
  outbox.add = add
  await post()
  await vi.advanceTimersByTimeAsync(6_000)
  const ended = [40, expect.stringMatching(/^accounts: the outbox is available again after 2 min/)]
  expect(service.loud()).toEqual([begun, ended])
})

test('FLT-34 a call that collides with others until its deadline is counted and one line a minute, and no outage', async () => {
  const service = await logged()
  const { create } = service.users
  service.users.create = () => Promise.reject(new ContendedError('busy', { cause: new Error('deadlock') }))
  const body = { username: 'bob', password: goodPassword, confirm_password: goodPassword }
  for (let round = 0; round < 3; round += 1) {
    const response = await service.send('POST', '/user/', body)
    expect([response.statusCode, response.json().code]).toEqual([503, 'ACCOUNTS_UNAVAILABLE'])
    expect(response.headers['retry-after']).toBe('5')
  }
  const told = [
    40,
    'accounts: the user store gave up a call because others kept changing the same rows: busy: deadlock',
  ]
  expect(service.loud()).toEqual([told])
  expect(await service.app.accounts.check()).toMatchObject({ ok: true, givenUp: 3 })
  await vi.advanceTimersByTimeAsync(60_000)
  await service.send('POST', '/user/', body)
  expect(service.loud()).toEqual([told, told])
  service.users.create = create
  expect((await service.send('POST', '/user/', body)).statusCode).toBe(201)
  await vi.advanceTimersByTimeAsync(6_000)
  expect(service.loud()).toEqual([told, told])
})

test('a full hash queue is one line with its numbers, however many it rejects, and no outage', async () => {
  const scrypt = createScryptHasher({ logN: 4, r: 1, p: 1 })
  const begun: (() => void)[] = []
  let isHeld = false
  const passwordHasher: typeof scrypt = {
    ...scrypt,
    async verify(password, hash) {
      if (isHeld) await new Promise<void>((resolve) => void begun.push(resolve))
      return scrypt.verify(password, hash)
    },
  }
  const service = await logged({ passwordHasher, password: { concurrency: 1 } })
  isHeld = true
  const slow = logInAs(service)
  await turns(() => begun.length === 1)
  await vi.advanceTimersByTimeAsync(4_000)
  begun[0]?.()
  expect((await slow).statusCode).toBe(200)

  const refused: number[] = []
  const all = Array.from({ length: 12 }, async (_, n) => {
    const { statusCode } = await service.send('POST', '/login/', { ...alice, username: `stranger-${n}` })
    if (statusCode === 503) refused.push(n)
  })
  // The hashes so far took 0, 0, 0 and 4 s: seven wait eight seconds.
  await turns(() => refused.length === 4)
  isHeld = false
  begun[1]?.()
  await Promise.all(all)
  const line =
    'accounts: rejected a password that would wait too long to be hashed: 7 wait, a hash takes 1000 ms, 1 at a time'
  expect(service.loud()).toEqual([[40, line]])
})

test('an error that a store may throw is a response, not an outage', async () => {
  const service = await logged()
  const { create } = service.users
  service.users.create = () => Promise.reject(new DuplicateError('username'))
  const body = { username: 'bob', password: goodPassword, confirm_password: goodPassword }
  expect((await service.send('POST', '/user/', body)).statusCode).toBe(409)
  expect(service.loud()).toEqual([])
  service.users.create = away
  await service.send('POST', '/user/', body)
  service.users.create = create
  expect((await service.send('POST', '/user/', body)).statusCode).toBe(201)
  await vi.advanceTimersByTimeAsync(5_000)
  expect(service.loud()).toMatchObject([
    [50, begins],
    [40, expect.stringMatching(/is available again after \d+ m?s, 1 call failed$/)],
  ])
})

test('each store has its own outages, whether counted by client or by account', async () => {
  const store = createMemoryThrottleStore()
  const service = await logged({ throttle: { store } })
  store.increment = away
  service.sessions.find = away
  expect((await logInAs(service)).statusCode).toBe(503)
  expect((await logInAs(service)).statusCode).toBe(503)
  const headers = { cookie: service.cookie }
  expect((await service.send('GET', '/me/', undefined, { headers })).statusCode).toBe(503)
  expect(service.loud().map(([, msg]) => String(msg).split(':')[1])).toEqual([
    ' the throttle store is unavailable',
    ' the session store is unavailable',
  ])
})

test('an internal error is not an outage, and is logged with its stack', async () => {
  const service = await logged({})
  // A store that breaks its promise.
  service.users.list = async () => [null as never]
  const headers = { cookie: service.cookie }
  expect((await service.send('GET', '/user/', undefined, { headers })).statusCode).toBe(500)
  expect(service.loud()).toEqual([[50, 'accounts: the request failed']])
  expect(service.lines.find(({ err }) => err)?.err?.stack).toMatch(/^TypeError: .+\n {4}at /)
})
