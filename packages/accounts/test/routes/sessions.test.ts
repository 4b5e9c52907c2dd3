import { setImmediate } from 'node:timers/promises'
import {
  as,
  cookieOf,
  countedSessions,
  goodPassword,
  logIn,
  otherPassword,
  secret,
  signUp,
  testApp,
  testAppOn,
  whoIs,
} from '@fastify-accounts/test-support/app'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createMemoryUserStore } from '../../src/index.js'

const minute = 60_000
const newer = 'bmV3LXNlY3JldC1vZi1lbm91Z2gtYnl0ZXMtZm9yLWEtdGVzdA'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-01-01T00:00:00Z') })
})
afterEach(() => {
  vi.useRealTimers()
})
const wait = (milliseconds: number) => vi.setSystemTime(Date.now() + milliseconds)

test('after a lost response, use of the cookie that is left counts as use of the session', async () => {
  const service = await testApp({ session: { idleTimeout: 5 * minute } })
  await signUp(service)
  const cookie = await logIn(service)
  await service.send('POST', '/confirm/', { password: goodPassword }, as(cookie))
  for (let visit = 0; visit < 10; visit += 1) {
    wait(4 * minute)
    expect(await whoIs(service, cookie)).toBe('alice')
  }
})

test('twenty confirmations of a session at once all succeed', async () => {
  const sessions = countedSessions()
  const { find } = sessions
  // All have read the row before one changes it.
  sessions.find = async (id) => {
    const found = await find(id)
    await setImmediate()
    return found
  }
  const stores = { users: createMemoryUserStore(), sessions }
  const service = await testAppOn(stores, { password: { concurrency: 20 } })
  await signUp(service)
  const cookie = await logIn(service)
  const confirmations = Array.from({ length: 20 }, () =>
    service.send('POST', '/confirm/', { password: goodPassword }, as(cookie)),
  )
  for (const confirmed of await Promise.all(confirmations))
    expect(await whoIs(service, cookieOf(confirmed))).toBe('alice')
})

test.each([-20, 20])(
  'a confirmation counts as long as a login where the clock of the store is %d minutes ahead',
  async (ahead) => {
    const sessions = { ...countedSessions(), now: async () => new Date(Date.now() + ahead * minute) }
    const service = await testAppOn({ users: createMemoryUserStore(), sessions })
    await signUp(service)
    const login = await logIn(service)
    wait(16 * minute)
    const cookie = cookieOf(await service.send('POST', '/confirm/', { password: goodPassword }, as(login)))
    const changeEmail = async (email: string) =>
      (await service.send('POST', '/change-email/', { email }, as(cookie))).statusCode
    wait(14 * minute)
    expect(await changeEmail('alice@example.org')).toBe(202)
    wait(2 * minute)
    expect(await changeEmail('alice@example.net')).toBe(403)
  },
)

test('requests at once ask the clock of the store once', async () => {
  const now = vi.fn(async () => new Date())
  const stores = { users: createMemoryUserStore(), sessions: { ...countedSessions(), now } }
  const service = await testAppOn(stores)
  await signUp(service)
  const cookie = await logIn(service)
  const next = cookieOf(await service.send('POST', '/confirm/', { password: goodPassword }, as(cookie)))
  const another = await testAppOn(stores)
  now.mockClear()
  const visits = await Promise.all(Array.from({ length: 20 }, () => whoIs(another, next)))
  expect([...new Set(visits)]).toEqual(['alice'])
  expect(now).toHaveBeenCalledOnce()
})

test('only the newest cookie of a session is signed anew with a new secret', async () => {
  const stores = { users: createMemoryUserStore(), sessions: countedSessions() }
  const before = await testAppOn(stores)
  await signUp(before)
  const old = await logIn(before)
  const next = cookieOf(await before.send('POST', '/confirm/', { password: goodPassword }, as(old)))
  const after = await testAppOn(stores, { secret: [newer, secret] })
  for (const [cookie, names] of [
    [old, []],
    [next, ['session']],
  ] as const) {
    const { statusCode, cookies } = await after.send('GET', '/me/', undefined, as(cookie))
    expect([statusCode, cookies.map(({ name }) => name)]).toEqual([200, names])
  }
})

const change = { old_password: goodPassword, new_password: otherPassword, confirm_password: otherPassword }
test.each([
  ['/login/', { username: 'alice', password: goodPassword }],
  ['/change-password/', change],
  ['/confirm/', { password: goodPassword }],
  ['/logout/', undefined],
])('during secret rotation, %s sets the cookie once, and keeps those of the host', async (path, body) => {
  const stores = { users: createMemoryUserStore(), sessions: countedSessions() }
  const before = await testAppOn(stores)
  await signUp(before)
  const cookie = await logIn(before)
  const service = await testAppOn(
    stores,
    { secret: [newer, secret], passwordHasher: before.hasher },
    {
      before: (app) =>
        app.addHook('onRequest', async (_request, reply) => void reply.header('set-cookie', 'theme=dark')),
    },
  )
  const response = await service.send('POST', path, body, { headers: { cookie } })
  expect(response.statusCode).toBeLessThan(300)
  const names = [response.headers['set-cookie']].flat().map((line) => line?.split('=')[0])
  expect(names.filter((name) => name === 'session')).toHaveLength(1)
  expect(names).toContain('theme')
})

test('endUserSessions ends every session of a user', async () => {
  const service = await testApp()
  const user = await signUp(service)
  const cookies = [await logIn(service), await logIn(service)]
  expect(await service.app.accounts.endUserSessions(user.id)).toBe(true)
  for (const cookie of cookies) expect(await whoIs(service, cookie)).toBeNull()
  expect(await service.app.accounts.endUserSessions('nobody')).toBe(false)
  const again = await service.send('POST', '/login/', { username: 'alice', password: goodPassword })
  expect(again.statusCode).toBe(200)
})

test('expired sessions are removed periodically', async () => {
  vi.useRealTimers()
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] })
  const service = await testApp()
  const removed = vi.spyOn(service.sessions, 'deleteExpired')
  await vi.advanceTimersByTimeAsync(10 * 60_000)
  expect(removed).toHaveBeenCalledTimes(1)
  removed.mockRejectedValueOnce(new Error('away'))
  await vi.advanceTimersByTimeAsync(10 * 60_000)
  await service.app.close()
  vi.advanceTimersByTime(60 * 60_000)
  expect(removed).toHaveBeenCalledTimes(2)
})
