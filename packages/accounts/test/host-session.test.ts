import fastifyCookie from '@fastify/cookie'
import fastifySession, { type FastifySessionOptions } from '@fastify/session'
import {
  as,
  baseUrl,
  goodPassword,
  linkPath,
  otherPassword,
  outbox,
  secret,
  signUp,
  type TestApp,
  testApp,
  whoIs,
} from '@fastify-accounts/test-support/app'
import { holdBody } from '@fastify-accounts/test-support/held-body'
import { connectNode } from '@fastify-accounts/test-support/redis/node-redis'
import { isRedisHere, newPrefix } from '@fastify-accounts/test-support/redis/redis'
import { RedisStore } from 'connect-redis'
import Fastify, { type LightMyRequestResponse as Response } from 'fastify'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import accounts, {
  type AccountsOptions,
  createMemorySessionStore,
  createMemoryUserStore,
} from '../src/index.js'

type ForeignStore = NonNullable<FastifySessionOptions['store']>

/** A request that is held in its handler until released. */
function gate() {
  let enter = (): void => {}
  let open = (): void => {}
  const entered = new Promise<void>((resolve) => {
    enter = resolve
  })
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  async function pass(): Promise<void> {
    enter()
    await opened
  }
  return { entered, open, pass }
}

/** A whole app whose host has registered @fastify/session, with its own routes. */
async function hostApp(
  session: Partial<FastifySessionOptions> = {},
  options: Partial<AccountsOptions> = {},
): Promise<TestApp & { slow: ReturnType<typeof gate> }> {
  const slow = gate()
  const service = await testApp(options, {
    before: async (app) => {
      await app.register(fastifyCookie)
      const own = { secret: 'x'.repeat(40), cookie: { secure: false }, saveUninitialized: false }
      await app.register(fastifySession, { ...own, ...session })
      app.get<{ Params: { what: string } }>(
        '/slow/:what',
        { preHandler: (request, reply) => app.accounts.requireUser(request, reply) },
        async (request) => {
          await slow.pass()
          if (request.params.what === 'writes') request.session.set('cart' as never, 'apples' as never)
          return 'done'
        },
      )
    },
  })
  return { ...service, slow }
}

function sessionCookie(response: Response): string {
  const found = response.cookies.findLast(({ name }) => name === 'sessionId')
  if (!found) throw new Error(`the response set no cookie: ${response.statusCode} ${response.body}`)
  return `sessionId=${encodeURIComponent(found.value)}`
}

async function logIn({ send }: TestApp, password = goodPassword, cookie = ''): Promise<string> {
  const headers = { ...(cookie && { cookie }) }
  return sessionCookie(await send('POST', '/login/', { username: 'alice', password }, { headers }))
}

function logOut({ app }: TestApp, cookie: string): Promise<Response> {
  return app.inject({ method: 'POST', url: '/logout/', headers: { cookie } })
}

test('a request whose body is held back until the logout is complete has no effect', async () => {
  let admitted = 0
  const service = await testApp(
    {},
    {
      before: async (app) => {
        await app.register(fastifyCookie)
        await app.register(fastifySession, { secret: 'x'.repeat(40), cookie: { secure: false } })
        app.addHook('preParsing', async () => {
          admitted += 1
        })
      },
    },
  )
  const { id } = await signUp(service)
  const cookie = await logIn(service)
  const port = Number(new URL(await service.app.listen({ port: 0, host: '127.0.0.1' })).port)
  admitted = 0
  const finish = holdBody({ port, method: 'PATCH', url: '/me/', cookie, body: { username: 'mallory' } })
  await expect.poll(() => admitted).toBe(1)
  expect((await logOut(service, cookie)).statusCode).toBe(204)
  expect(await finish()).toBe(401)
  expect((await service.users.findById(id))?.username).toBe('alice')
  await service.app.close()
})

const newPassword = { new_password: otherPassword, confirm_password: otherPassword }

/** A store of the host, as tests inspect it: it keeps strings. */
interface Ground {
  store: ForeignStore
  keys(): Promise<string[]>
  read(key: string): Promise<string | null>
  write(key: string, text: string): Promise<unknown>
  /** Seconds. */
  ttl(key: string): Promise<number>
  end(): unknown
}

async function openMemory(): Promise<Ground> {
  const rows = new Map<string, { text: string; expires: number }>()
  const store: ForeignStore = {
    get(key, callback) {
      const text = rows.get(key)?.text
      callback(null, text === undefined ? null : JSON.parse(text))
    },
    set(key, session, callback) {
      const expires = new Date(session.cookie.expires ?? Date.now()).getTime()
      rows.set(key, { text: JSON.stringify(session), expires })
      callback()
    },
    destroy(key, callback) {
      rows.delete(key)
      callback()
    },
  }
  return {
    store,
    keys: async () => [...rows.keys()],
    read: async (key) => rows.get(key)?.text ?? null,
    write: async (key, text) => rows.set(key, { text, expires: rows.get(key)?.expires ?? 0 }),
    ttl: async (key) => ((rows.get(key)?.expires ?? 0) - Date.now()) / 1000,
    end: () => {},
  }
}

async function openRedis(): Promise<Ground> {
  const redis = await connectNode()
  const prefix = newPrefix()
  async function keys(): Promise<string[]> {
    // A scan may return a key twice.
    const found = new Set<string>()
    for await (const some of redis.scanIterator({ MATCH: `${prefix}*`, COUNT: 1000 })) {
      for (const key of some) found.add(key)
    }
    return [...found]
  }
  return {
    store: new RedisStore({ client: redis, prefix }),
    keys,
    read: (key) => redis.get(key),
    write: (key, text) => redis.set(key, text),
    ttl: (key) => redis.ttl(key),
    async end() {
      const left = await keys()
      if (left.length > 0) await redis.del(left)
      redis.destroy()
    },
  }
}

const grounds = [
  { name: 'texts in memory', isHere: true, open: openMemory },
  { name: 'connect-redis', isHere: await isRedisHere(), open: openRedis },
]

describe.each(grounds)('the host keeps its sessions in $name', ({ isHere, open }) => {
  let ground: Ground
  let store: ForeignStore

  beforeEach(async ({ skip }) => {
    if (!isHere) return skip()
    ground = await open()
    store = ground.store
  })
  afterEach(async () => {
    vi.useRealTimers()
    await ground?.end()
  })

  async function start(session: Partial<FastifySessionOptions> = {}) {
    const service = await hostApp({ store, ...session })
    const user = await signUp(service, 'alice', { email: 'alice@example.org' })
    return { ...service, user }
  }

  test('login, whoami and logout work, and the login is stored there', async () => {
    const service = await start()
    expect(await whoIs(service, '')).toBeNull()
    expect(await ground.keys()).toEqual([])
    const cookie = await logIn(service)
    const other = await logIn(service)
    const [key = ''] = await ground.keys()
    expect(JSON.parse((await ground.read(key)) ?? '')).toMatchObject({
      accounts: { userId: service.user.id, epoch: 0, createdAt: expect.stringMatching(/^\d{4}-.*Z$/) },
    })
    expect([await whoIs(service, cookie), await whoIs(service, other)]).toEqual(['alice', 'alice'])
    expect((await logOut(service, cookie)).statusCode).toBe(204)
    expect([await whoIs(service, cookie), await whoIs(service, other)]).toEqual([null, 'alice'])
  })

  test('a new password ends the other sessions; a reset and endUserSessions end all', async () => {
    const service = await start()
    const [mine, other] = [await logIn(service), await logIn(service)]
    const changed = await service.send(
      'POST',
      '/change-password/',
      { old_password: goodPassword, ...newPassword },
      { headers: { cookie: mine } },
    )
    expect(changed.statusCode).toBe(204)
    const renewed = sessionCookie(changed)
    expect([await whoIs(service, mine), await whoIs(service, other)]).toEqual([null, null])
    expect(await whoIs(service, renewed)).toBe('alice')

    await service.send('POST', '/forgot/', { email: 'alice@example.org' })
    const link = linkPath(await service.mail('reset-password'))
    expect((await service.send('POST', link, newPassword)).statusCode).toBe(204)
    expect(await whoIs(service, renewed)).toBeNull()

    const two = [await logIn(service, otherPassword), await logIn(service, otherPassword)]
    for (const cookie of two) expect(await whoIs(service, cookie)).toBe('alice')
    expect(await service.app.accounts.endUserSessions(service.user.id)).toBe(true)
    for (const cookie of two) expect(await whoIs(service, cookie)).toBeNull()
  })

  test('a login expires after the idle timeout and after the absolute timeout', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const day = 24 * 3_600_000
    const wait = (milliseconds: number) => vi.setSystemTime(Date.now() + milliseconds)
    const service = await start()
    const [left, visited] = [await logIn(service), await logIn(service)]
    for (let passed = 4; passed < 30; passed += 4) {
      wait(4 * day)
      expect(await whoIs(service, visited)).toBe('alice')
      if (passed === 8) expect(await whoIs(service, left)).toBeNull()
    }
    wait(2 * day)
    expect(await whoIs(service, visited)).toBeNull()
  })

  test('a login in use lasts, even with an idle timeout below two minutes', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const service = await hostApp({ store }, { session: { idleTimeout: 90_000 } })
    await signUp(service)
    const cookie = await logIn(service)
    for (let visit = 0; visit < 6; visit += 1) {
      vi.setSystemTime(Date.now() + 50_000)
      expect(await whoIs(service, cookie)).toBe('alice')
    }
    vi.setSystemTime(Date.now() + 91_000)
    expect(await whoIs(service, cookie)).toBeNull()
  })

  test('a login lasts to the last millisecond, and its use is recorded once a minute', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const week = 7 * 24 * 3_600_000
    const began = Date.now()
    const service = await start()
    const cookie = await logIn(service)
    const [key = ''] = await ground.keys()
    const other = await logIn(service)
    const seen = async (): Promise<number> => {
      await whoIs(service, cookie)
      return new Date(JSON.parse((await ground.read(key)) ?? '').accounts.lastSeenAt).getTime() - began
    }
    for (const [milliseconds, expected] of [
      [59_999, 0],
      [60_000, 60_000],
      [119_999, 60_000],
    ] as const) {
      vi.setSystemTime(began + milliseconds)
      expect(await seen()).toBe(expected)
    }
    vi.setSystemTime(began + week)
    expect(await whoIs(service, other)).toBeNull()
    vi.setSystemTime(began + 60_000 + week - 1)
    expect(await whoIs(service, cookie)).toBe('alice')
  })

  test('a disabled or deleted user is logged out, and stays so', async () => {
    const service = await start()
    const { id } = service.user
    const [first, second] = [await logIn(service), await logIn(service)]
    const visit = async (cookie: string) =>
      (await service.app.inject({ url: '/me/', headers: { cookie } })).statusCode
    await service.app.accounts.updateUser(id, { isActive: false })
    expect(await visit(first)).toBe(401)
    await service.app.accounts.updateUser(id, { isActive: true })
    expect([await visit(first), await visit(second)]).toEqual([401, 401])
    const third = await logIn(service)
    expect(await visit(third)).toBe(200)
    await service.users.delete(id)
    expect(await visit(third)).toBe(401)
  })

  test('a logout reports the user whose session it ended', async () => {
    const service = await start()
    const told: (string | null)[] = []
    service.app.accounts.events.on('audit', ({ action, userId }) => {
      if (action === 'logout') told.push(userId)
    })
    const cookie = await logIn(service)
    for (let times = 0; times < 2; times += 1) await logOut(service, cookie)
    await service.settle()
    expect(told).toEqual([service.user.id, null])
  })

  test('an invalid login is treated as anonymous, not as an error', async () => {
    const service = await start()
    const cookie = await logIn(service)
    const [key = ''] = await ground.keys()
    const row = JSON.parse((await ground.read(key)) ?? '')
    const visit = async (accounts: unknown) => {
      await ground.write(key, JSON.stringify({ ...row, accounts }))
      return (await service.app.inject({ url: '/me/', headers: { cookie } })).statusCode
    }
    const login = row.accounts
    for (const broken of [
      ...[undefined, null, 'alice', service.user.id, 7, true, [], {}, [login]],
      ...[
        { ...login, userId: 7 },
        { ...login, userId: null },
        { ...login, userId: [login.userId] },
      ],
      ...[
        { ...login, epoch: '0' },
        { ...login, epoch: null },
      ],
      ...[
        { ...login, createdAt: 'once' },
        { ...login, lastSeenAt: null, createdAt: undefined },
      ],
    ]) {
      expect([broken, await visit(broken)]).toEqual([broken, 401])
    }
    expect(await visit(login)).toBe(200)
  })

  describe.each([true, false])('with rolling: %s', (rolling) => {
    test.each(['reads', 'writes'])(
      'a request in flight that %s doesn’t revive an ended session',
      async (what) => {
        const one = await start({ rolling })
        const two = await hostApp({ store, rolling }, { userStore: one.users, passwordHasher: one.hasher })
        const [cookie, other] = [await logIn(one), await logIn(one)]
        const rows = (await ground.keys()).length
        const under = one.app.inject({ url: `/slow/${what}`, headers: { cookie } })
        await one.slow.entered
        expect((await logOut(two, cookie)).statusCode).toBe(204)
        one.slow.open()
        expect((await under).body).toBe('done')
        // The row is back, next to the marker of its end.
        if (rolling || what === 'writes') expect(await ground.keys()).toHaveLength(rows + 1)
        for (const service of [one, two, one]) expect(await whoIs(service, cookie)).toBeNull()
        expect(await whoIs(two, other)).toBe('alice')
        expect(await whoIs(one, await logIn(one, goodPassword, cookie))).toBe('alice')
      },
    )
  })

  test('the marker of an ended session expires slightly later than the login would have', async () => {
    const service = await start()
    const cookie = await logIn(service)
    await logOut(service, cookie)
    const [key = '', ...more] = await ground.keys()
    expect(more).toEqual([])
    expect(key).toMatch(/(^|:)accounts-ended-[\w-]{43}$/)
    expect(key).not.toContain(decodeURIComponent(cookie).slice('sessionId='.length).split('.')[0])
    const week = 7 * 24 * 3600
    expect(await ground.ttl(key)).toBeGreaterThan(week)
    expect(await ground.ttl(key)).toBeLessThan(week + 3600)
    for (const headers of [{}, { cookie }]) {
      await service.app.inject({ method: 'POST', url: '/logout/', headers })
    }
    expect(await ground.keys()).toEqual([key])
  })
})

test("if the host's sessions are for another path, requests are anonymous, without an error", async () => {
  const service = await hostApp({ cookie: { secure: false, path: '/shop' } })
  expect((await service.send('GET', '/me/')).statusCode).toBe(401)
  expect((await service.send('POST', '/logout/')).statusCode).toBe(204)
})

test('a request in flight doesn’t bring back a session replaced by a new login', async () => {
  const service = await hostApp()
  await signUp(service)
  const cookie = await logIn(service)
  const under = service.app.inject({ url: '/slow/writes', headers: { cookie } })
  await service.slow.entered
  const replaced = await logIn(service, goodPassword, cookie)
  service.slow.open()
  await under
  expect([await whoIs(service, cookie), await whoIs(service, replaced)]).toEqual([null, 'alice'])
})

test('a logout during a password change wins: no session continues', async () => {
  const service = await hostApp()
  await signUp(service)
  const cookie = await logIn(service)
  const hash = service.hasher.hash
  service.hasher.hash = async (password) => {
    expect((await logOut(service, cookie)).statusCode).toBe(204)
    return hash(password)
  }
  const body = { old_password: goodPassword, ...newPassword }
  const changed = await service.send('POST', '/change-password/', body, { headers: { cookie } })
  expect(changed.statusCode).toBe(204)
  expect(changed.cookies.filter(({ name }) => name === 'sessionId')).toEqual([])
})

describe('if the host’s store', () => {
  type Call = (key: string, ...rest: unknown[]) => void
  const fail = (error: Error): Call => {
    return (_key, ...rest) => (rest.at(-1) as (error: Error) => void)(error)
  }

  /** A store in memory in which reading and writing the markers of ended sessions can be made to fail. */
  function faultyStore() {
    const notes: { get?: Call; set?: Call } = {}
    const sound = new fastifySession.MemoryStore()
    const choose = (method: 'get' | 'set', key: string): Call =>
      (key.startsWith('accounts-ended-') && notes[method]) || (sound[method].bind(sound) as Call)
    const store: ForeignStore = {
      get: (key, callback) => choose('get', key)(key, callback),
      set: (key, value, callback) => choose('set', key)(key, value, callback),
      destroy: (key, callback) => sound.destroy(key, callback),
    }
    return { store, notes }
  }

  test.each([
    ['fails', fail(new Error('away'))],
    ['does not respond', () => {}],
  ])('%s, nobody is treated as logged in or logged out', async (_, fault) => {
    const { store, notes } = faultyStore()
    const service = await hostApp({ store }, { adapterTimeout: 2000 })
    await signUp(service)
    const cookie = await logIn(service)
    notes.get = fault
    // Over a socket, because a real request has properties that an injected one lacks.
    const url = await service.app.listen({ port: 0, host: '127.0.0.1' })
    onTestFinished(() => service.app.close())
    const refused = await fetch(`${url}/me/`, { headers: { cookie } })
    expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([
      503,
      'ACCOUNTS_UNAVAILABLE',
    ])
    delete notes.get
    expect(await whoIs(service, cookie)).toBe('alice')
    notes.set = fault
    expect((await logOut(service, cookie)).statusCode).toBe(503)
    expect(await whoIs(service, cookie)).toBeNull()
  })

  test('throws ENOENT for a missing session, that is not a failure', async () => {
    const { store, notes } = faultyStore()
    notes.get = fail(Object.assign(new Error('no such file'), { code: 'ENOENT' }))
    const service = await hostApp({ store })
    await signUp(service)
    expect(await whoIs(service, await logIn(service))).toBe('alice')
  })
})

describe('the start', () => {
  async function start(options: object, session: boolean): Promise<string> {
    const app = Fastify()
    if (session) {
      await app.register(fastifyCookie)
      await app.register(fastifySession, { secret: 'x'.repeat(40) })
    }
    const given = { secret, baseUrl, mailer: outbox(), ...options } as AccountsOptions
    return app.register(accounts, given).then(
      () => 'started',
      (error: Error) => error.message,
    )
  }

  test.each([
    ['connect-redis', new RedisStore({ client: {} })],
    ['@fastify/session in memory', new fastifySession.MemoryStore()],
  ])('rejects a store for express-session as the option sessionStore: %s', async (_, store) => {
    for (const session of [false, true]) {
      const line = await start({ sessionStore: store }, session)
      expect(line).toMatch(
        /^fastify-accounts: the option sessionStore is a store for express-session, .*individual sessions$/,
      )
      expect(line).toContain('register @fastify/session with it before fastify-accounts')
    }
  })

  test('rejects a sessionStore that would have no effect next to a @fastify/session of the host', async () => {
    const options = { sessionStore: createMemorySessionStore() }
    expect(await start(options, true)).toMatch(
      /^fastify-accounts: the option sessionStore has no effect, .*$/,
    )
    expect(await start(options, false)).toBe('started')
    expect(await start({}, true)).toBe('started')
  })

  test('doesn’t ask for a sessionStore in production that it would reject', async () => {
    vi.stubEnv('NODE_ENV', 'production')
    onTestFinished(() => void vi.unstubAllEnvs())
    const options = { userStore: createMemoryUserStore(), mailer: outbox() }
    expect(await start(options, true)).toBe('started')
  })
})

describe('features that also work on the host’s sessions', () => {
  test('a confirmed password counts from then on, in this session', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    const service = await hostApp()
    await signUp(service)
    const cookie = await logIn(service)
    const ask = (with_: string) =>
      service
        .send('POST', '/change-email/', { email: 'nobody' }, as(with_))
        .then((response) => response.json().code)
    expect(await ask(cookie)).toBe('ACCOUNTS_INVALID_INPUT')
    vi.setSystemTime(Date.now() + 16 * 60_000)
    expect(await ask(cookie)).toBe('ACCOUNTS_CONFIRMATION_REQUIRED')
    const confirmed = await service.send('POST', '/confirm/', { password: goodPassword }, as(cookie))
    expect(confirmed.statusCode).toBe(204)
    const renewed = sessionCookie(confirmed)
    expect(renewed).not.toBe(cookie)
    expect(await ask(renewed)).toBe('ACCOUNTS_INVALID_INPUT')
    expect([await whoIs(service, cookie), await whoIs(service, renewed)]).toEqual([null, 'alice'])
  })

  test('deleting one’s account logs out', async () => {
    const service = await hostApp()
    await signUp(service)
    const cookie = await logIn(service)
    expect((await service.send('DELETE', '/me/', undefined, as(cookie))).statusCode).toBe(204)
    expect(await whoIs(service, cookie)).toBeNull()
    const name = 'alice'
    expect(
      (await service.send('POST', '/login/', { username: name, password: goodPassword })).statusCode,
    ).toBe(401)
  })
})
