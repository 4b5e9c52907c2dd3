import { Writable } from 'node:stream'
import {
  countedSessions,
  goodPassword,
  lastingOutbox,
  signUp,
  testApp,
  testAppOn,
} from '@fastify-accounts/test-support/app'
import { newPendingMail, runCases, userStoreCases } from '@fastify-accounts/testing'
import { afterEach, expect, test, vi } from 'vitest'
import { createMemoryUserStore, type Outbox, type UserStore } from '../src/index.js'

const never = () => new Promise<never>(() => {})
const away = () => Promise.reject(new Error('connect ECONNREFUSED 10.0.0.5:5432 s3cret'))
const quick = { state: 'ok', ms: expect.any(Number) }

afterEach(() => void vi.useRealTimers())

test('FLT-17 a process whose stores respond is ready, and reports the state of each part', async () => {
  const service = await testApp({ throttle: {} })
  expect(await service.app.accounts.check()).toEqual({
    ok: true,
    ms: expect.any(Number),
    users: quick,
    sessions: quick,
    invitations: quick,
    throttle: quick,
    outbox: { ...quick, waiting: 0, dead: 0, overdueMs: 0, underWay: 0, oldestMs: 0 },
    events: null,
    // The decoy is hashed at the start.
    hasher: {
      state: 'ok',
      underWay: expect.any(Number),
      oldestMs: expect.any(Number),
      waiting: 0,
      waitMs: 0,
    },
    clock: { state: 'unknown', aheadMs: null },
    givenUp: 0,
  })
})

type Part = 'users' | 'sessions' | 'invitations' | 'outbox'
const parts: [part: Part, break_: (box: Stores, how: typeof away) => void][] = [
  ['users', ({ users }, how) => void Object.assign(users, { findById: how })],
  ['users', ({ users }, how) => void Object.assign(users, { update: how })],
  ['sessions', ({ sessions }, how) => void Object.assign(sessions, { find: how })],
  ['sessions', ({ sessions }, how) => void Object.assign(sessions, { touch: how })],
  ['invitations', ({ invitations }, how) => void Object.assign(invitations, { find: how })],
  ['invitations', ({ invitations }, how) => void Object.assign(invitations, { update: how })],
  ['outbox', ({ outbox }, how) => void Object.assign(outbox, { count: how })],
]
interface Stores {
  users: UserStore
  sessions: object
  invitations: object
  outbox: Outbox
}

test.each(parts)(
  "FLT-17 a process that can't read or write %s is not ready, within two seconds, and doesn't reveal why",
  async (part, broken) => {
    const outbox = lastingOutbox()
    const users = { ...createMemoryUserStore(), outbox }
    const service = await testApp({ userStore: users })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    broken({ ...service, users, outbox }, away)
    const failed = await service.app.accounts.check()
    expect(failed).toMatchObject({ ok: false, [part]: { state: 'unavailable' } })
    expect(JSON.stringify(failed)).not.toMatch(/ECONN|s3cret/)

    broken({ ...service, users, outbox }, never)
    await vi.advanceTimersByTimeAsync(1000)
    const hanging = service.app.accounts.check()
    // Concurrent checks share the same calls.
    expect(service.app.accounts.check()).toBe(service.app.accounts.check())
    await vi.advanceTimersByTimeAsync(2000)
    expect(await hanging).toMatchObject({ ok: false, ms: 2000, [part]: { state: 'unavailable', ms: 2000 } })
  },
)

test('a thousand checks a second query the stores once', async () => {
  const service = await testApp()
  const findById = vi.spyOn(service.users, 'findById')
  vi.useFakeTimers({ toFake: ['performance'] })
  for (let round = 0; round < 1000; round += 1) await service.app.accounts.check()
  expect(findById).toHaveBeenCalledTimes(1)
  vi.advanceTimersByTime(1000)
  await service.app.accounts.check()
  expect(findById).toHaveBeenCalledTimes(2)
})

test("a slow hash is reported, and doesn't affect readiness", async () => {
  const service = await testApp({ adapterTimeout: 60_000 })
  await signUp(service)
  let end = (_: boolean): void => {}
  const begun = new Promise<void>((resolve) => {
    service.hasher.verify = () => {
      resolve()
      return new Promise((done) => {
        end = done
      })
    }
  })
  vi.useFakeTimers({ toFake: ['performance'] })
  const login = service.send('POST', '/login/', { username: 'alice', password: goodPassword })
  void login.then(() => {})
  await begun
  vi.advanceTimersByTime(2001)
  expect(await service.app.accounts.check()).toMatchObject({
    ok: true,
    hasher: { state: 'busy', underWay: 1, oldestMs: 2001 },
  })
  end(true)
  await login
})

test("emails that are stuck in delivery are reported, and don't affect readiness", async () => {
  const service = await testApp({ mailer: { send: never } })
  await signUp(service, 'alice', { email: 'alice@example.org' })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  await service.send('POST', '/forgot/', { email: 'alice@example.org' })
  const outbox = async () => {
    // Nothing is queried twice within a second.
    vi.advanceTimersByTime(1000)
    return (await service.app.accounts.check()).outbox
  }
  while ((await outbox()).underWay === 0) await new Promise(setImmediate)
  const { oldestMs } = await outbox()
  vi.advanceTimersByTime(9000 - oldestMs)
  expect(await outbox()).toMatchObject({ state: 'ok', underWay: 1, oldestMs: 10_000 })
  expect(await service.app.accounts.check()).toMatchObject({ ok: true })
  expect(await outbox()).toMatchObject({ state: 'stuck', underWay: 1, oldestMs: 11_000 })
  expect(await service.app.accounts.check()).toMatchObject({ ok: true })
})

test('a full hash queue is reported, and logged once with its numbers', async () => {
  const lines: { level: number; msg: string; err?: object }[] = []
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(JSON.parse(String(chunk)))
      done()
    },
  })
  // The clock is stopped, so hashes take no time: only the length of the queue counts.
  vi.useFakeTimers({ toFake: ['performance'] })
  const service = await testApp(
    { adapterTimeout: 60_000, password: { concurrency: 1 } },
    { server: { logger: { level: 'info', stream } } },
  )
  await signUp(service)
  lines.length = 0
  let end = (): void => {}
  const ended = new Promise<boolean>((resolve) => {
    end = () => resolve(true)
  })
  service.hasher.verify = () => ended
  const responses: number[] = []
  const logins = Array.from({ length: 100 }, async () => {
    const { statusCode } = await service.send('POST', '/login/', {
      username: 'alice',
      password: goodPassword,
    })
    responses.push(statusCode)
  })
  // `vi.waitFor` would advance the clock.
  while (responses.length < 35) await new Promise(setImmediate)
  expect(responses).toEqual(Array(35).fill(503))
  const queue = { underWay: 1, waiting: 64 }
  expect((await service.app.accounts.check()).hasher).toEqual({
    state: 'ok',
    oldestMs: 0,
    waitMs: 0,
    ...queue,
  })
  vi.advanceTimersByTime(2001)
  expect(await service.app.accounts.check()).toMatchObject({
    ok: true,
    hasher: { state: 'busy', oldestMs: 2001, waitMs: 2001, ...queue },
  })
  expect(lines.filter(({ level, err }) => level > 30 || err !== undefined)).toMatchObject([
    { level: 40, waiting: 64, waitMs: 0, hashMs: 0, concurrency: 1 },
  ])
  expect(lines.filter(({ msg }) => msg === 'accounts: the request was rejected')).toHaveLength(35)
  end()
  await Promise.all(logins)
})

test.each([
  [200_000, 'off'],
  [-200_000, 'off'],
  [6_000, 'off'],
  [-6_000, 'off'],
  [4_000, 'ok'],
  [0, 'ok'],
])('a clock that is %d ms ahead of the database is %s', async (ahead, state) => {
  const users = createMemoryUserStore()
  const service = await testApp({ userStore: { ...users, now: async () => new Date(Date.now() - ahead) } })
  const { ok, clock } = await service.app.accounts.check()
  expect([ok, clock.state]).toEqual([true, state])
  expect(Math.abs((clock.aheadMs ?? 0) - ahead)).toBeLessThan(1000)
})

test('an email that nobody delivers is overdue by the clock of the database', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] })
  const ahead = 60_000
  const outbox = lastingOutbox(-ahead)
  const users = { ...createMemoryUserStore(), outbox, now: async () => new Date(Date.now() + ahead) }
  const service = await testAppOn({ users, sessions: countedSessions() })
  const overdue = async () => {
    vi.advanceTimersByTime(2_000)
    return (await service.app.accounts.check()).outbox.overdueMs
  }
  const { claim } = outbox
  outbox.claim = async () => []
  // The other is of another mount, whose processes may be down.
  await outbox.add([newPendingMail({ realm: 'staff' })])
  vi.advanceTimersByTime(60_000)
  await outbox.add([newPendingMail()])
  const posted = Date.now()
  const known = await overdue()
  expect(Math.abs((known ?? 0) - (Date.now() - posted))).toBeLessThan(1000)
  const now = new Date(Date.now() + ahead)
  const [entry] = await claim({
    realms: ['accounts'],
    now,
    until: new Date(now.getTime() + 600_000),
    limit: 1,
  })
  expect(await overdue()).toBe(0)
  if (entry) await outbox.remove(entry)
  expect(await overdue()).toBe(0)
  Object.assign(outbox, { oldestDue: away })
  expect(await overdue()).toBeNull()
})

test('law 33 detects a clock in another unit or zone, and a stopped one', async () => {
  const wrong: (() => Date)[] = [
    () => new Date(Date.now() / 1000),
    () => new Date(Date.now() + 3_600_000),
    () => new Date(0),
    () => stopped,
  ]
  const stopped = new Date()
  for (const now of wrong) {
    const cases = userStoreCases(() => ({ ...createMemoryUserStore(), now: async () => now() }))
    const { failures } = await runCases(
      cases.filter(({ name }) => name.startsWith('law 33')),
      () => {},
    )
    expect(failures).toHaveLength(1)
  }
})
