import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import fastifyCookie from '@fastify/cookie'
import fastifySession from '@fastify/session'
import {
  cookieOf,
  goodPassword,
  linkPath,
  logIn,
  otherPassword,
  secret,
  signUp,
  type TestApp,
  testApp,
  whoIs,
} from '@fastify-accounts/test-support/app'
import type { Session as FastifySession } from 'fastify'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { createHmacSigner, createScryptHasher, type Mail, type PasswordHasher } from '../src/index.js'

// The fault matrix, every adapter call of every route, is in test/faults at the root.

const alice = { username: 'alice', password: goodPassword }
const email = 'alice@example.org'
const unavailable = {
  statusCode: 503,
  code: 'ACCOUNTS_UNAVAILABLE',
  error: 'Service Unavailable',
  message: 'The service is temporarily unavailable. Try again shortly.',
}
const away = (): Promise<never> => Promise.reject(new Error('connect ECONNREFUSED 10.0.0.5:6379 s3cret'))

/** A user with a session and a reset link. */
async function scene(options: Parameters<typeof testApp>[0] = {}) {
  const service = await testApp(options)
  const { id } = await signUp(service, 'alice', { email })
  const cookie = await logIn(service)
  await service.send('POST', '/forgot/', { email })
  const link = linkPath(await service.mail('reset-password'))
  return { service, id, cookie, link }
}

describe('an outage', () => {
  type Break = (service: TestApp) => () => void
  const replace =
    <Target extends object>(of: (service: TestApp) => Target, method: keyof Target): Break =>
    (service) => {
      const target = of(service)
      const original = target[method]
      target[method] = away as Target[typeof method]
      return () => {
        target[method] = original
      }
    }
  const outages: [name: string, begin: Break][] = [
    ['looking up the user', replace(({ users }) => users, 'findByUsername')],
    ['recording the login', replace(({ users }) => users, 'update')],
    ['hashing', replace(({ hasher }) => hasher, 'verify')],
    ['creating the session', replace(({ sessions }) => sessions, 'create')],
  ]
  test.each(outages)('FLT-01 uses up no login attempts if %s fails', async (_, begin) => {
    const service = await testApp({ throttle: {} })
    await signUp(service)
    const end = begin(service)
    for (let round = 0; round < 10; round += 1) {
      expect((await service.send('POST', '/login/', alice)).json()).toEqual(unavailable)
    }
    end()
    for (let round = 0; round < 4; round += 1) {
      const wrong = await service.send('POST', '/login/', { ...alice, password: otherPassword })
      expect(wrong.json().code).toBe('ACCOUNTS_INVALID_CREDENTIALS')
    }
    expect((await service.send('POST', '/login/', alice)).statusCode).toBe(200)
  })
})

describe('sign-up', () => {
  const never = new Promise<never>(() => {})
  const faults: Record<string, () => Promise<void>> = {
    'that is down': away,
    'that throws synchronously': () => {
      throw new TypeError('s3cret')
    },
    'that never responds': () => never,
  }
  const bob = {
    username: 'bob',
    password: goodPassword,
    confirm_password: goodPassword,
    email: 'b@example.org',
  }

  const bobLogin = { username: bob.username, password: bob.password }

  test.each(Object.entries(faults))(
    'FLT-04 a mailer %s loses no account, and the email can be resent',
    async (_, fault) => {
      vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout', 'performance'] })
      const mails: Mail[] = []
      let send = fault
      const service = await testApp({
        requireEmailConfirmation: true,
        mailer: { send: (mail) => (send === fault ? fault() : Promise.resolve(void mails.push(mail))) },
      })
      const failed: string[] = []
      service.app.accounts.events.on('mail-failed', ({ kind }) => failed.push(kind))

      // The clock is stopped: nothing waits for the email.
      expect((await service.send('POST', '/signup/', bob)).statusCode).toBe(202)
      expect((await service.send('POST', '/login/', bobLogin)).json().code).toBe('ACCOUNTS_NOT_VERIFIED')
      expect((await service.send('POST', '/signup/', bob)).json().code).toBe('ACCOUNTS_USERNAME_TAKEN')
      // Four attempts of at most a minute each, plus the pauses between them.
      await vi.advanceTimersByTimeAsync(4 * 60_000 + 4000)
      expect(failed).toEqual(['verify-email'])

      send = async () => {}
      expect((await service.send('POST', '/signup/v/', { email: bob.email })).statusCode).toBe(202)
      await vi.waitFor(() => expect(mails.map(({ kind }) => kind)).toEqual(['verify-email']), 60_000)
      const [mail] = mails
      if (mail) await service.send('POST', linkPath(mail))
      expect((await service.send('POST', '/login/', bobLogin)).statusCode).toBe(200)
    },
  )
  test('FLT-04 a mailer that recovers is retried automatically', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout', 'performance'] })
    const mails: Mail[] = []
    let attempts = 0
    const service = await testApp({
      requireEmailConfirmation: true,
      mailer: {
        async send(mail) {
          attempts += 1
          if (attempts < 4) throw new Error('451 try again')
          mails.push(mail)
        },
      },
    })
    await service.send('POST', '/signup/', bob)
    await vi.advanceTimersByTimeAsync(4000)
    expect([attempts, mails.map(({ kind }) => kind)]).toEqual([4, ['verify-email']])
  })

  afterEach(() => void vi.useRealTimers())
})

test('FLT-05 a hanging mailer under 1000 requests: a bounded queue, working routes, an orderly close', async () => {
  const lines: string[] = []
  const logger = { level: 'error', stream: { write: (line: string) => void lines.push(line) } }
  const service = await testApp({ mailer: { send: () => new Promise(() => {}) } }, { server: { logger } })
  await signUp(service, 'alice', { email })
  const failed: string[] = []
  service.app.accounts.events.on('mail-failed', ({ error }) => failed.push(String(error)))
  for (let batch = 0; batch < 11; batch += 1) {
    const responses = await Promise.all(
      Array.from({ length: 100 }, () => service.send('POST', '/forgot/', { email })),
    )
    expect(new Set(responses.map(({ statusCode }) => statusCode))).toEqual(new Set([202]))
  }
  // A thousand are queued, including those being sent.
  expect(failed).toEqual(Array(100).fill('Error: more than 1000 emails are waiting'))
  expect(lines.filter((line) => line.includes('gave up on an email'))).toHaveLength(100)

  const cookie = await logIn(service)
  expect((await service.app.inject({ url: '/me/', headers: { cookie } })).statusCode).toBe(200)

  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  const closing = service.app.close()
  await vi.advanceTimersByTimeAsync(8000)
  await closing
  vi.useRealTimers()
  expect(failed).toHaveLength(1100)
})

describe('while the session store is down', () => {
  test('FLT-06 without session store, anonymous requests still work, and no one else is treated as anonymous', async () => {
    const { service, cookie, link } = await scene({ adapterTimeout: 1500 })
    for (const fault of [away, () => new Promise<never>(() => {})]) {
      for (const method of [
        'create',
        'find',
        'touch',
        'change',
        'delete',
        'deleteByUser',
        'listByUser',
      ] as const) {
        service.sessions[method] = fault
      }
      const statuses = async (headers: { cookie?: string }): Promise<number[]> =>
        Promise.all(
          ['/me/', '/api-root/', link, '/reset/d/', '/user/'].map(
            async (url) => (await service.app.inject({ url, headers })).statusCode,
          ),
        )
      expect(await statuses({})).toEqual([401, 200, 200, 200, 401])
      // Whether it is the maker's browser decides what the link does.
      expect(await statuses({ cookie })).toEqual([503, 200, 503, 200, 503])
      expect((await service.send('POST', '/forgot/', { email })).statusCode).toBe(202)
      expect((await service.send('POST', '/login/', alice)).json()).toEqual(unavailable)
    }
  })

  const hostStores: Record<string, (done: (error: unknown) => void) => void> = {
    rejects: (done) => done(new Error('connect ECONNREFUSED 10.0.0.5:6379 s3cret')),
    'responds twice': (done) => {
      done(new Error('s3cret'))
      done(new Error('s3cret'))
    },
  }
  test.each(Object.entries(hostStores))(
    'FLT-06 a session store of the host that %s: no login, one response',
    async (_, fail) => {
      const rows = new Map<string, FastifySession>()
      let isAway = false
      const call = <Row>(done: (error: unknown, row?: Row) => void, work: () => Row): void =>
        isAway ? fail(done) : done(null, work())
      const service = await testApp(
        {},
        {
          async before(app) {
            await app.register(fastifyCookie)
            await app.register(fastifySession, {
              secret,
              cookie: { secure: false },
              store: {
                get: (id, done) => call(done, () => rows.get(id) ?? null),
                set: (id, row, done) => call(done, () => void rows.set(id, row)),
                destroy: (id, done) => call(done, () => void rows.delete(id)),
              },
            })
          },
        },
      )
      await signUp(service)
      const login = await service.send('POST', '/login/', alice)
      const cookie = login.cookies.map(({ name, value }) => `${name}=${encodeURIComponent(value)}`).join('; ')
      const me = () => service.app.inject({ url: '/me/', headers: { cookie } })
      expect((await me()).statusCode).toBe(200)

      isAway = true
      const again = await service.send('POST', '/login/', alice)
      expect(again.json()).toEqual(unavailable)
      for (const response of [again, await me()]) {
        // The host's @fastify/session reads the session, and has no 503.
        expect([500, 503]).toContain(response.statusCode)
        expect(response.body).not.toContain('s3cret')
        expect(response.cookies.filter(({ name }) => name.includes('sess'))).toEqual([])
      }
      isAway = false
      expect((await me()).statusCode).toBe(200)
    },
  )
})

describe('when the hasher fails', () => {
  test.each(['ENOMEM', 'ERR_CRYPTO_INVALID_SCRYPT_PARAMS'])(
    'FLT-11 hashing fails with %s: 503, and nothing is stored',
    async (code) => {
      const scrypt = createScryptHasher({ logN: 4, r: 1, p: 1 })
      let isBroken = false
      const fail = async (): Promise<never> => {
        throw Object.assign(new Error('Scrypt s3cret'), { code })
      }
      const passwordHasher: PasswordHasher = {
        ...scrypt,
        hash: (password) => (isBroken ? fail() : scrypt.hash(password)),
        verify: (password, hash) => (isBroken ? fail() : scrypt.verify(password, hash)),
      }
      const { service, id, cookie, link } = await scene({ passwordHasher })
      const before = [await service.users.findById(id), [...service.sessions.rows.keys()]]
      isBroken = true
      for (const response of await everyHash(service, cookie, link))
        expect(response.json()).toEqual(unavailable)
      expect([await service.users.findById(id), [...service.sessions.rows.keys()]]).toEqual(before)
      expect(await service.users.list({ limit: 10 })).toHaveLength(1)
      isBroken = false
      const statuses = (await everyHash(service, cookie, link)).map(({ statusCode }) => statusCode)
      expect(statuses).toEqual([200, 401, 201, 204, 401])
    },
  )

  test('FLT-11 hashing fails from the start: an unknown name gets 503, and the decoy is made once it works', async () => {
    const scrypt = createScryptHasher({ logN: 4, r: 1, p: 1 })
    let isBroken = true
    const hash: PasswordHasher['hash'] = (password) => (isBroken ? away() : scrypt.hash(password))
    const service = await testApp({ passwordHasher: { ...scrypt, hash } })
    expect((await service.send('POST', '/login/', alice)).json()).toEqual(unavailable)
    isBroken = false
    const response = await service.send('POST', '/login/', alice)
    expect(response.json().code).toBe('ACCOUNTS_INVALID_CREDENTIALS')
  })

  test("FLT-11 hashing lacks randomness: no new password is stored, and the error text isn't exposed", async () => {
    const { service, id, cookie, link } = await scene({
      passwordHasher: createScryptHasher({ logN: 4, r: 1, p: 1 }),
      tokenSigner: createHmacSigner({ secret }),
    })
    const stored = await service.users.findById(id)
    const fail = (): never => {
      throw Object.assign(new Error('s3cret'), { code: 'ERR_OSSL_RAND' })
    }
    const spies = [
      vi.spyOn(crypto, 'randomBytes').mockImplementation(fail),
      vi.spyOn(crypto.webcrypto, 'getRandomValues').mockImplementation(fail),
    ]
    syncBuiltinESMExports()
    try {
      // The session's id was generated earlier: the right password logs in, but without a device cookie.
      const login = await service.send('POST', '/login/', alice)
      expect([login.statusCode, login.cookies.map(({ name }) => name)]).toEqual([200, ['session']])
      for (const response of (await everyHash(service, cookie, link)).slice(2)) {
        expect(response.json()).toEqual(unavailable)
      }
    } finally {
      for (const spy of spies) spy.mockRestore()
      syncBuiltinESMExports()
    }
    expect((await service.users.findById(id))?.passwordHash).toBe(stored?.passwordHash)
    expect(await service.users.list({ limit: 10 })).toHaveLength(1)
    expect(cookieOf(await service.send('POST', '/login/', alice))).toBeTruthy()
  })

  /** Login, login with an unknown name, sign-up, reset, password change. */
  async function everyHash({ app, send }: TestApp, cookie: string, link: string) {
    const form = { new_password: otherPassword, confirm_password: otherPassword }
    return [
      await send('POST', '/login/', alice),
      await send('POST', '/login/', { ...alice, username: 'nobody' }),
      await send('POST', '/user/', { ...alice, username: 'bob', confirm_password: goodPassword }),
      await send('POST', link, form),
      await app.inject({
        method: 'POST',
        url: '/change-password/',
        headers: { cookie },
        payload: { old_password: goodPassword, ...form },
      }),
    ]
  }

  test('FLT-11 hashing hangs: 503 at the deadline, and the next hash works', async () => {
    const { service } = await scene({ adapterTimeout: 1500 })
    const verify = service.hasher.verify
    service.hasher.verify = () => new Promise(() => {})
    const responses = await Promise.all([1, 2, 3].map(() => service.send('POST', '/login/', alice)))
    for (const response of responses) expect(response.json()).toEqual(unavailable)
    service.hasher.verify = verify
    expect((await service.send('POST', '/login/', alice)).statusCode).toBe(200)
  })
})

test("a session whose row couldn't be deleted when its user was disabled stays invalid", async () => {
  const service = await testApp()
  const { id } = await signUp(service)
  const cookie = await logIn(service)
  service.sessions.deleteByUser = () => Promise.reject(new Error('away'))
  await service.app.accounts.updateUser(id, { isActive: false })
  await service.app.accounts.updateUser(id, { isActive: true })
  expect(service.sessions.rows.size).toBe(1)
  expect(await whoIs(service, cookie)).toBeNull()
  expect(await whoIs(service, await logIn(service))).toBe('alice')
})
