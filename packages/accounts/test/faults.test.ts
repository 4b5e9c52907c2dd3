import { expect, test } from 'vitest'
import {
  goodPassword,
  linkPath,
  logIn,
  otherPassword,
  signUp,
  type TestApp,
  testApp,
  whoIs,
} from './support/app.js'

const email = 'alice@example.org'
const form = { new_password: otherPassword, confirm_password: otherPassword }

interface Scene {
  service: TestApp
  cookie: string
  id: string
  link: string
  verify: string
}

async function scene(): Promise<Scene> {
  const service = await testApp({ adapterTimeout: 50 })
  const { id } = await signUp(service, 'alice', { email })
  const cookie = await logIn(service)
  await service.send('POST', '/forgot/', { email })
  await service.send('POST', '/user/v/', { email })
  const link = linkPath(await service.mail('reset-password'))
  const verify = linkPath(await service.mail('verify-email'))
  return { service, cookie, id, link, verify }
}

type Call = (scene: Scene) => Promise<{ statusCode: number; body: string; headers: Record<string, unknown> }>

/** Every route that touches a store. */
const routes: Record<string, Call> = {
  login: ({ service }) => service.send('POST', '/login/', { username: 'alice', password: goodPassword }),
  logout: ({ service, cookie }) =>
    service.app.inject({ method: 'POST', url: '/logout/', headers: { cookie } }),
  forgot: ({ service }) => service.send('POST', '/forgot/', { email }),
  'reset GET': ({ service, link }) => service.send('GET', link),
  'reset POST': ({ service, link }) => service.send('POST', link, form),
  'change-password': ({ service, cookie }) =>
    service.send(
      'POST',
      '/change-password/',
      { old_password: goodPassword, ...form },
      { headers: { cookie } },
    ),
  me: ({ service, cookie }) => service.app.inject({ url: '/me/', headers: { cookie } }),
  create: ({ service }) =>
    service.send('POST', '/signup/', {
      username: 'bob',
      password: goodPassword,
      confirm_password: goodPassword,
    }),
  list: ({ service, cookie }) => service.app.inject({ url: '/user/', headers: { cookie } }),
  show: ({ service, cookie, id }) => service.app.inject({ url: `/user/${id}`, headers: { cookie } }),
  delete: ({ service, cookie, id }) =>
    service.app.inject({ method: 'DELETE', url: `/user/${id}`, headers: { cookie } }),
  'verify GET': ({ service, verify }) => service.send('GET', verify),
  resend: ({ service }) => service.send('POST', '/user/v/', { email }),
}

const faults: Record<string, () => unknown> = {
  rejects: () => Promise.reject(new Error('connect ECONNREFUSED 10.0.0.5:5432 select secret')),
  'throws at once': () => {
    throw new TypeError('cannot read select secret')
  },
  'never answers': () => new Promise(() => {}),
}

const methods = {
  users: ['create', 'findById', 'findByUsername', 'findByEmail', 'list', 'update', 'delete'],
  sessions: ['create', 'find', 'touch', 'delete', 'deleteByUser'],
} as const

/** Where a failing call may leave the answer as it is: the deed was done before, or is done all the same. */
const harmless = new Set([
  'change-password sessions.create',
  'change-password sessions.delete',
  'change-password sessions.deleteByUser',
  'reset POST sessions.deleteByUser',
  'delete sessions.deleteByUser',
  'delete sessions.delete',
])

type Store = keyof typeof methods

function spyOn(
  service: TestApp,
  store: Store,
  method: string,
  replacement: (...args: unknown[]) => unknown,
): () => void {
  const target = service[store] as unknown as Record<string, (...args: unknown[]) => unknown>
  const original = target[method]
  target[method] = replacement
  return () => {
    if (original) target[method] = original
  }
}

/** Which calls of which store a route makes, found out by letting it run once. */
async function callsOf(route: string): Promise<[Store, string][]> {
  const set = await scene()
  const calls = new Map<string, [Store, string]>()
  for (const store of ['users', 'sessions'] as const) {
    for (const method of methods[store]) {
      const target = set.service[store] as unknown as Record<string, (...args: unknown[]) => unknown>
      const original = target[method]
      spyOn(set.service, store, method, (...args) => {
        calls.set(`${store}.${method}`, [store, method])
        return original?.apply(target, args)
      })
    }
  }
  await routes[route]?.(set)
  return [...calls.values()]
}

test.each(Object.keys(routes))(
  'FLT-01 FLT-02 FLT-06 %s: a store that fails in any call is 503, nothing told, nothing half-done',
  async (route) => {
    const calls = await callsOf(route)
    expect(calls.length).toBeGreaterThan(0)
    for (const [store, method] of calls) {
      for (const [fault, fail] of Object.entries(faults)) {
        const cell = `${route} ${store}.${method}`
        const set = await scene()
        const restore = spyOn(set.service, store, method, fail)
        const answer = await (routes[route] as Call)(set)
        restore()
        if (harmless.has(cell)) {
          expect([cell, fault, answer.statusCode]).toEqual([cell, fault, 204])
        } else {
          expect([cell, fault, answer.statusCode]).toEqual([cell, fault, 503])
          expect(JSON.parse(answer.body).code).toBe('ACCOUNTS_UNAVAILABLE')
          expect(answer.headers['retry-after']).toBe('5')
          expect(answer.headers['set-cookie'] === undefined || route === 'logout').toBe(true)
          await expectUntouched(set, cell)
        }
        expect(answer.body).not.toMatch(/secret|ECONN|10\.0\.0/)
        await set.service.app.close()
      }
    }
  },
)

async function expectUntouched({ service, cookie, id }: Scene, cell: string): Promise<void> {
  const user = await service.users.findById(id)
  expect([cell, user?.sessionEpoch, user?.isVerified]).toEqual([cell, 0, false])
  expect(await service.users.list({ limit: 10 })).toHaveLength(1)
  if (!cell.startsWith('logout')) expect([cell, await whoIs(service, cookie)]).toEqual([cell, 'alice'])
  const login = await service.send('POST', '/login/', { username: 'alice', password: goodPassword })
  expect([cell, login.statusCode]).toEqual([cell, 200])
}

test('FLT-11 a hasher that fails is 503, and nothing is stored', async () => {
  const set = await scene()
  for (const method of ['hash', 'verify'] as const) {
    const original = set.service.hasher[method]
    Object.assign(set.service.hasher, { [method]: () => Promise.reject(new Error('ENOMEM')) })
    for (const route of method === 'hash'
      ? ['create', 'reset POST', 'change-password']
      : ['login', 'change-password']) {
      const answer = await routes[route]?.(set)
      expect([route, answer?.statusCode]).toEqual([route, 503])
    }
    Object.assign(set.service.hasher, { [method]: original })
    await expectUntouched(set, method)
  }
})

test('a failing hasher costs nobody a try', async () => {
  const service = await testApp({ throttle: {} })
  await signUp(service)
  const verify = service.hasher.verify
  service.hasher.verify = () => Promise.reject(new Error('ENOMEM'))
  for (let round = 0; round < 6; round += 1) {
    const answer = await service.send('POST', '/login/', { username: 'alice', password: goodPassword })
    expect(answer.statusCode).toBe(503)
  }
  service.hasher.verify = verify
  expect(
    (await service.send('POST', '/login/', { username: 'alice', password: goodPassword })).statusCode,
  ).toBe(200)
})

test('more logins than the queue holds: the excess is 503 at once, the rest is answered', async () => {
  const service = await testApp()
  await signUp(service)
  const verify = service.hasher.verify
  service.hasher.verify = async (password, hash) => {
    await new Promise((resolve) => setTimeout(resolve, 5))
    return verify(password, hash)
  }
  const answers = await Promise.all(
    Array.from({ length: 150 }, () =>
      service.send('POST', '/login/', { username: 'alice', password: goodPassword }),
    ),
  )
  const count = (status: number) => answers.filter((answer) => answer.statusCode === status).length
  expect(count(200) + count(503)).toBe(150)
  expect(count(200)).toBeGreaterThanOrEqual(64)
  expect(count(503)).toBeGreaterThanOrEqual(50)
  expect(answers.find((answer) => answer.statusCode === 503)?.headers['retry-after']).toBe('5')
})

test('FLT-09 where the session rows are lost everybody is anonymous', async () => {
  const { service, cookie } = await scene()
  for (const id of service.sessions.rows.keys()) await service.sessions.delete(id)
  expect((await service.app.inject({ url: '/me/', headers: { cookie } })).statusCode).toBe(401)
})

test('SES-07 a session whose row could not be removed when its user was disabled stays over', async () => {
  const service = await testApp()
  const { id } = await signUp(service)
  const cookie = await logIn(service)
  service.sessions.deleteByUser = () => Promise.reject(new Error('away'))
  await service.app.accounts.setFlags(id, { isActive: false })
  await service.app.accounts.setFlags(id, { isActive: true })
  expect(service.sessions.rows.size).toBe(1)
  expect(await whoIs(service, cookie)).toBeNull()
  expect(await whoIs(service, await logIn(service))).toBe('alice')
})
