import fastifyCookie from '@fastify/cookie'
import fastifySession, { type FastifySessionOptions } from '@fastify/session'
import {
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

/** A request that is held up in its handler, and lets go. */
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

/** A whole app whose host has registered @fastify/session, with routes of its own. */
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
  if (!found) throw new Error(`the answer set no cookie: ${response.statusCode} ${response.body}`)
  return `sessionId=${encodeURIComponent(found.value)}`
}

async function logIn({ send }: TestApp, password = goodPassword, cookie = ''): Promise<string> {
  const headers = { ...(cookie && { cookie }) }
  return sessionCookie(await send('POST', '/login/', { username: 'alice', password }, { headers }))
}

function logOut({ app }: TestApp, cookie: string): Promise<Response> {
  return app.inject({ method: 'POST', url: '/logout/', headers: { cookie } })
}

test('a request whose body is kept back until the logout is over is not done', async () => {
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

/** A store of the host, as a test looks into it: what it keeps are texts. */
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
    // A scan may tell of a key twice.
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

  test('login, who am I and logout work, and the login is text there', async () => {
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

  test('a new password ends the others, a reset and endUserSessions all', async () => {
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

  test('a login ends after the idle and after the absolute timeout', async () => {
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

  test('a login lives to the last millisecond, and is noted as seen once a minute', async () => {
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

  test('a user who is disabled or deleted is logged out, and stays so', async () => {
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

  test('a logout is told of the user whose session it ended', async () => {
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

  test('what is no login is nobody, and no error', async () => {
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
      'a request under way that %s opens no session that ended',
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
        // The row is back, beside the note of its end.
        if (rolling || what === 'writes') expect(await ground.keys()).toHaveLength(rows + 1)
        for (const service of [one, two, one]) expect(await whoIs(service, cookie)).toBeNull()
        expect(await whoIs(two, other)).toBe('alice')
        expect(await whoIs(one, await logIn(one, goodPassword, cookie))).toBe('alice')
      },
    )
  })

  test('what notes an end is over a little later than the login would be', async () => {
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

test('where the host keeps sessions for another path there is nobody, and no error', async () => {
  const service = await hostApp({ cookie: { secure: false, path: '/shop' } })
  expect((await service.send('GET', '/me/')).statusCode).toBe(401)
  expect((await service.send('POST', '/logout/')).statusCode).toBe(204)
})

test('a request under way does not bring back the session that a new login replaced', async () => {
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

test('a logout while the password is being changed stands: no session goes on', async () => {
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

describe('where the store of the host', () => {
  type Call = (key: string, ...rest: unknown[]) => void
  const fail = (error: Error): Call => {
    return (_key, ...rest) => (rest.at(-1) as (error: Error) => void)(error)
  }

  /** A store in memory; what notes ended sessions can be made to fare otherwise. */
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
    ['does not answer', () => {}],
  ])('%s, nobody is taken for logged in or out', async (_, fault) => {
    const { store, notes } = faultyStore()
    const service = await hostApp({ store }, { adapterTimeout: 2000 })
    await signUp(service)
    const cookie = await logIn(service)
    notes.get = fault
    // Over a socket: there a request has more in it than the one that inject makes.
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

  test('says ENOENT where there is nothing, that is no fault', async () => {
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
  ])('refuses a store for express-session as the option sessionStore: %s', async (_, store) => {
    for (const session of [false, true]) {
      const line = await start({ sessionStore: store }, session)
      expect(line).toMatch(
        /^fastify-accounts: the option sessionStore is a store for express-session, .*individual sessions$/,
      )
      expect(line).toContain('register @fastify/session with it before fastify-accounts')
    }
  })

  test('refuses a sessionStore that would have no effect beside a @fastify/session of the host', async () => {
    const options = { sessionStore: createMemorySessionStore() }
    expect(await start(options, true)).toMatch(
      /^fastify-accounts: the option sessionStore has no effect, .*$/,
    )
    expect(await start(options, false)).toBe('started')
    expect(await start({}, true)).toBe('started')
  })

  test('asks in production for no sessionStore that it would refuse', async () => {
    vi.stubEnv('NODE_ENV', 'production')
    onTestFinished(() => void vi.unstubAllEnvs())
    const options = { userStore: createMemoryUserStore(), mailer: outbox() }
    expect(await start(options, true)).toBe('started')
  })
})

describe('what is there beside the host’s sessions as well', () => {
  const as = (cookie: string) => ({ headers: { cookie } })

  test('a confirmed password counts from then on, in this session', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    const service = await hostApp()
    await signUp(service)
    const cookie = await logIn(service)
    const ask = (with_: string) =>
      service
        .send('POST', '/change-email/', { email: 'nobody' }, as(with_))
        .then((answer) => answer.json().code)
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

  test('who deletes the account is logged out', async () => {
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
