import { Writable } from 'node:stream'
import { logIn, signUp, type TestApp, testApp, testAppOn } from '@fastify-accounts/test-support/app'
import { createMemorySessionStore, createMemoryUserStore, type SessionStore } from 'fastify-accounts'
import { expect, onTestFinished, test, vi } from 'vitest'

const away = () => Promise.reject(new Error('the store is away'))
/** The only line with the error. */
const outage = [50, 'accounts: the session store is unavailable: the store is away', expect.any(String)]

/** A user with a session, and what is logged from then on: level, text, error. */
async function logged() {
  const lines: [number, string, string?][] = []
  const stream = new Writable({
    write(chunk, _encoding, done) {
      const { level, msg, err } = JSON.parse(String(chunk))
      if (msg.startsWith('accounts: ')) lines.push([level, msg, err?.message])
      done()
    },
  })
  const service = await testApp({}, { server: { logger: { level: 'info', stream } } })
  const user = await signUp(service)
  const cookie = await logIn(service)
  lines.length = 0
  return { ...service, user, cookie, lines }
}

const visit = async ({ app }: Pick<TestApp, 'app'>, cookie: string) =>
  (await app.inject({ url: '/me/', headers: { cookie } })).statusCode
const logOut = ({ app }: Pick<TestApp, 'app'>, cookie: string) =>
  app.inject({ method: 'POST', url: '/logout/', headers: { cookie } })

test("a request whose use can't be recorded succeeds, and the log says so", async () => {
  const service = await logged()
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 })
  onTestFinished(() => void vi.useRealTimers())
  service.sessions.touch = away
  expect(await visit(service, service.cookie)).toBe(200)
  expect(service.lines).toEqual([
    outage,
    [30, 'accounts: the use of a session could not be recorded', undefined],
  ])
})

test("an invalid session that can't be deleted is still invalid, and the log says so", async () => {
  const service = await logged()
  const user = await service.users.findById(service.user.id)
  await service.users.update(service.user.id, { isActive: false }, user?.version ?? 0)
  service.sessions.delete = away
  expect(await visit(service, service.cookie)).toBe(401)
  expect(service.lines).toEqual([
    outage,
    [30, 'accounts: a session that is no longer valid could not be deleted', undefined],
    [30, 'accounts: the request was rejected', undefined],
  ])
})

test('a logout that fails asks the browser all the same to drop all cookies, if that is wanted', async () => {
  const service = await testApp({ session: { clearSiteData: true } })
  await signUp(service)
  const cookie = await logIn(service)
  service.sessions.delete = away
  const { statusCode, headers } = await logOut(service, cookie)
  expect([statusCode, headers['clear-site-data']]).toEqual([503, '"cookies"'])
})

test("ended sessions that can't be deleted are still invalid, and the log says so", async () => {
  const service = await logged()
  service.sessions.deleteByUser = away
  expect(await service.app.accounts.endUserSessions(service.user.id)).toBe(true)
  expect(await visit(service, service.cookie)).toBe(401)
  expect(service.lines).toEqual([
    outage,
    [30, 'accounts: ended sessions could not be deleted; their rows stay until they expire', undefined],
    [30, 'accounts: the request was rejected', undefined],
  ])
})

test('a logout that the store never accepts is retried, then logged', async () => {
  const service = await logged()
  const deleted = vi.fn(away)
  service.sessions.delete = deleted
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  expect((await logOut(service, service.cookie)).statusCode).toBe(503)
  await vi.advanceTimersByTimeAsync(3_600_000)
  // Once for the response, then again at once, and eight more times.
  expect(deleted).toHaveBeenCalledTimes(10)
  expect(service.lines.at(-1)).toEqual([30, 'accounts: a session could not be ended', undefined])
})

test('a logout that another one preceded is reported without a user', async () => {
  const service = await logged()
  const told: (string | null)[] = []
  service.app.accounts.events.on('audit', ({ action, userId }) => {
    if (action === 'logout') told.push(userId)
  })
  const remove = service.sessions.delete
  service.sessions.delete = async (id) => {
    await remove(id)
    return remove(id)
  }
  expect((await logOut(service, service.cookie)).statusCode).toBe(204)
  await service.settle()
  expect(told).toEqual([null])
})

/** In-memory stores that return a session and its user in one call, and counts of the calls. */
function together() {
  const users = createMemoryUserStore()
  const sessions = createMemorySessionStore()
  const asked = { both: 0, apart: 0 }
  const { find } = sessions
  const apart: SessionStore['find'] = (id) => {
    asked.apart += 1
    return find(id)
  }
  const withUsers: NonNullable<SessionStore['withUsers']> = {
    users,
    async find(id) {
      asked.both += 1
      const session = await find(id)
      return session && { session, user: await users.findById(session.userId) }
    },
  }
  return { users, sessions: { ...sessions, find: apart, withUsers }, withUsers, asked }
}

test("a session and its user are read together if the users are the plugin's", async () => {
  const { users, sessions, asked } = together()
  const service = await testAppOn({ users, sessions })
  await signUp(service)
  const cookie = await logIn(service)
  expect(await visit(service, cookie)).toBe(200)
  expect(asked.both).toBe(1)

  const others = await testAppOn({ users: createMemoryUserStore(), sessions })
  await signUp(others)
  expect(await visit(others, await logIn(others))).toBe(200)
  expect(asked.both).toBe(1)
})

test.each<[string, () => Promise<never>]>([
  ['rejects', away],
  ['never responds', () => new Promise(() => {})],
])('a combined read that %s is 503, not 401', async (_, fault) => {
  const { users, sessions, withUsers } = together()
  const service = await testAppOn({ users, sessions }, { adapterTimeout: 2000 })
  await signUp(service)
  const cookie = await logIn(service)
  withUsers.find = fault
  expect(await visit(service, cookie)).toBe(503)
})
