import {
  cheapHasher,
  countedSessions,
  goodPassword,
  logIn,
  otherPassword,
  signUp,
  testApp,
  testAppOn,
} from '@fastify-accounts/test-support/app'
import { expect, test, vi } from 'vitest'
import { createMemoryUserStore } from '../../src/index.js'

test("POST /login/ returns the user's own view and sets a session cookie", async () => {
  const service = await testApp()
  const user = await signUp(service, 'alice', { email: 'alice@example.org' })
  const response = await service.send('POST', '/login/', { username: 'alice', password: goodPassword })
  expect(response.statusCode).toBe(200)
  expect(response.json()).toEqual({
    id: user.id,
    username: 'alice',
    email: 'alice@example.org',
    is_verified: false,
    is_staff: false,
    is_active: true,
    has_password: true,
    created_at: user.createdAt.toISOString(),
    last_login_at: (await service.users.findById(user.id))?.lastLoginAt?.toISOString(),
  })
  expect(response.json().last_login_at).not.toBeNull()
  expect(response.cookies.map((each) => each.name)).toEqual(['session', 'session-device'])
  expect(response.cookies[0]).toMatchObject({ name: 'session', httpOnly: true, sameSite: 'Lax', path: '/' })
  expect(response.cookies[0]).not.toHaveProperty('secure')
  expect(response.cookies[0]).not.toHaveProperty('domain')
  expect(response.cookies[0]).not.toHaveProperty('expires')
})

test('the session is stored under a hash: the id in the cookie is nowhere in the store', async () => {
  const service = await testApp()
  await signUp(service)
  const [sessionId] = decodeURIComponent(await logIn(service))
    .slice('session='.length)
    .split('.')
  expect(sessionId).toMatch(/^[\w-]{32}$/)
  expect(JSON.stringify([...service.sessions.rows])).not.toContain(sessionId)
})

test('with a full hash queue, a stranger is rejected before any store is asked; a known device is not', async () => {
  const users = createMemoryUserStore()
  const asked = vi.spyOn(users, 'findByUsername')
  let mustWait = false
  const hasher = cheapHasher()
  const service = await testAppOn(
    { users, sessions: countedSessions() },
    {
      password: { concurrency: 1 },
      adapterTimeout: 600_000,
      passwordHasher: {
        ...hasher,
        verify: (password, hash) =>
          mustWait ? new Promise<boolean>(() => {}) : hasher.verify(password, hash),
      },
    },
  )
  await signUp(service, 'alice')
  const first = await service.send('POST', '/login/', { username: 'alice', password: goodPassword })
  const device = first.cookies.find(({ name }) => name === 'session-device')
  mustWait = true
  const guess = (headers = {}, username = 'alice') =>
    service.send('POST', '/login/', { username, password: otherPassword }, { headers })
  // One is being hashed forever; 64 wait, or fewer if the first hashes took long.
  const names = Array.from({ length: 65 }, (_, n) => `guess-${n}`)
  const settled = new Set<string>()
  for (const name of names) {
    guess({}, name).then(
      () => settled.add(name),
      () => {},
    )
  }
  const isDecided = (name: string): boolean =>
    settled.has(name) || asked.mock.calls.some(([key]) => key === name)
  await expect.poll(() => names.filter(isDecided)).toEqual(names)
  asked.mockClear()
  expect((await guess()).statusCode).toBe(503)
  expect((await guess({ cookie: 'session=none' })).statusCode).toBe(503)
  expect(asked).not.toHaveBeenCalled()
  guess({ cookie: `session-device=${device?.value}` }).catch(() => {})
  await expect.poll(() => asked.mock.calls).toEqual([['alice']])
})

test("a user's sign-ups for others wait with the strangers', behind known devices", async () => {
  const hasher = cheapHasher()
  const release: (() => void)[] = []
  let isGated = false
  const gated = <Value>(work: () => Promise<Value>): Promise<Value> =>
    isGated ? new Promise<void>((resolve) => release.push(resolve)).then(work) : work()
  const started: string[] = []
  const service = await testApp({
    password: { concurrency: 1 },
    passwordHasher: {
      ...hasher,
      hash(password) {
        started.push('sign-up')
        return gated(() => hasher.hash(password))
      },
      verify(password, hash) {
        started.push('login')
        return gated(() => hasher.verify(password, hash))
      },
    },
  })
  await signUp(service, 'alice')
  const first = await service.send('POST', '/login/', { username: 'alice', password: goodPassword })
  const cookies = first.cookies.map(({ name, value }) => `${name}=${encodeURIComponent(value)}`)
  const [session, device] = [/session=/, /device=/].map((name) => cookies.find((each) => name.test(each)))
  isGated = true
  started.length = 0
  const responses = ['bob', 'carol', 'dora'].map((username) => {
    const account = { username, password: goodPassword, confirm_password: goodPassword }
    return service.send('POST', '/user/', account, { headers: { cookie: session } })
  })
  // All have reached the queue, as the first store call of each has been made.
  await service.settle()
  const known = { username: 'alice', password: goodPassword }
  const login = service.send('POST', '/login/', known, { headers: { cookie: device } })
  await service.settle()
  expect(started).toEqual(['sign-up'])
  release.shift()?.()
  await expect.poll(() => started).toEqual(['sign-up', 'login'])
  isGated = false
  for (const each of release) each()
  expect((await login).statusCode).toBe(200)
  expect((await Promise.all(responses)).map(({ statusCode }) => statusCode)).toEqual([201, 201, 201])
})
