import { AsyncLocalStorage } from 'node:async_hooks'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { connect as connectHttp2, type IncomingHttpHeaders } from 'node:http2'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import fastifyCookie from '@fastify/cookie'
import fastifyRateLimit from '@fastify/rate-limit'
import fastifySession from '@fastify/session'
import {
  baseUrl,
  browser,
  cheapHasher,
  cookieOf,
  formTarget,
  goodPassword,
  linkPath,
  logIn,
  otherPassword,
  outbox,
  secret,
  signUp,
  testApp,
  whoIs,
} from '@fastify-accounts/test-support/app'
import Fastify, { type FastifyInstance } from 'fastify'
import { describe, expect, test } from 'vitest'
import type { Feature } from '../src/features/index.js'
import accounts, { AccountsError, createMemorySessionStore, createMemoryUserStore } from '../src/index.js'

const credentials = { username: 'alice', password: goodPassword }

test('requireUser and loadUser tell a route of the host who is logged in, without secrets', async () => {
  const service = await testApp(
    {},
    {
      before: (app) => {
        app.get(
          '/private',
          { onRequest: (request, reply) => app.accounts.requireUser(request, reply) },
          (request) => request.user,
        )
        app.get(
          '/greeting',
          { preHandler: (request, reply) => app.accounts.loadUser(request, reply) },
          (request) => `hello ${request.user?.username ?? 'stranger'}`,
        )
        app.get('/public', (request) => ({ user: request.user }))
      },
    },
  )
  const user = await signUp(service, 'alice', { email: 'alice@example.org' })
  const cookie = await logIn(service)
  const get = (url: string, headers = {}) => service.app.inject({ url, headers })
  const refused = await get('/private')
  expect(refused.json()).toMatchObject({ statusCode: 401, code: 'ACCOUNTS_LOGIN_REQUIRED' })
  const seen = (await get('/private', { cookie })).json()
  expect(seen).toMatchObject({ id: user.id, username: 'alice', email: 'alice@example.org', isStaff: false })
  expect(JSON.stringify(seen)).not.toMatch(/[Hh]ash|[Ee]poch|version|[a-z]Key/)
  expect((await get('/greeting', { cookie })).body).toBe('hello alice')
  expect((await get('/greeting')).body).toBe('hello stranger')
  const open = await get('/public', { cookie })
  expect(open.json()).toEqual({ user: null })
  expect(open.headers['set-cookie']).toBeUndefined()
  expect(open.headers['cache-control']).toBeUndefined()
})

test('users can be created without HTTP', async () => {
  const service = await testApp()
  const { createUser } = service.app.accounts
  const made = await createUser({
    username: 'root-1',
    password: goodPassword,
    email: 'r@example.org',
    isStaff: true,
    isVerified: true,
  })
  expect(made).toMatchObject({ username: 'root-1', isStaff: true, isVerified: true })
  expect(made).not.toHaveProperty('passwordHash')
  await expect(createUser({ username: 'ROOT-1', password: goodPassword })).rejects.toMatchObject({
    code: 'ACCOUNTS_USERNAME_TAKEN',
  })
  await expect(createUser({ username: 'a', password: 'x', email: 'y' })).rejects.toMatchObject({
    code: 'ACCOUNTS_INVALID_INPUT',
    fields: [
      { field: 'email', code: 'invalid' },
      { field: 'password', code: 'too_short' },
    ],
  })
  expect(
    (await service.send('POST', '/login/', { username: 'root-1', password: goodPassword })).statusCode,
  ).toBe(200)
})

test('the prefix of register() applies to paths and links, also inside a prefixed scope', async () => {
  const outer = await testApp({
    prefix: '/accounts',
    auth: { prefix: '/auth' },
    users: { prefix: '/people' },
  })
  expect(
    (
      await outer.send('POST', '/accounts/people/user/', {
        ...credentials,
        confirm_password: goodPassword,
        email: 'a@example.org',
      })
    ).statusCode,
  ).toBe(201)
  expect((await outer.send('POST', '/accounts/auth/login/', credentials)).statusCode).toBe(200)
  expect((await outer.send('POST', '/login/', credentials)).statusCode).toBe(404)
  await outer.send('POST', '/accounts/auth/forgot/', { email: 'a@example.org' })
  const link = linkPath(await outer.mail('reset-password'))
  expect(link).toMatch(/^\/accounts\/auth\/reset\//)
  expect((await outer.send('GET', link)).statusCode).toBe(200)
  const headers = { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' }
  const payload = `new_password=${otherPassword}&confirm_password=${otherPassword}`
  const done = await outer.app.inject({ method: 'POST', url: link, headers, payload })
  expect(done.headers.location).toBe('/accounts/auth/reset/d/')

  const app = Fastify()
  app.register(
    async (scope) => {
      await scope.register(accounts, {
        secret,
        baseUrl: 'http://localhost:3000/base',
        prefix: '/b',
        mailer: outbox(),
      })
    },
    { prefix: '/a' },
  )
  const root = await app.inject('/a/b/api-root/')
  expect(root.json().login.href).toBe('http://localhost:3000/base/a/b/login/')
})

test('one service can be mounted twice, under two prefixes and versions', async () => {
  const shared = {
    secret,
    baseUrl,
    userStore: createMemoryUserStore(),
    sessionStore: createMemorySessionStore(),
    passwordHasher: cheapHasher(),
    mailer: outbox(),
    users: true,
  }
  const app = Fastify()
  await app.register(accounts, { ...shared, prefix: '/v1' })
  await app.register(accounts, {
    ...shared,
    prefix: '/v2',
    decorateAs: { instance: 'accountsV2', request: 'userV2' },
  })
  await app.accounts.createUser(credentials)
  const cookie = cookieOf(await app.inject({ method: 'POST', url: '/v1/login/', payload: credentials }))
  expect((await app.inject({ url: '/v2/me/', headers: { cookie } })).json().username).toBe('alice')
  expect((await app.inject('/v2/api-root/')).json().me.href).toBe('http://localhost:3000/v2/me/')
})

test('a decorator name that is taken stops the start with the name of the option', async () => {
  const app = Fastify()
  app.decorateRequest('user', null)
  await expect(app.register(accounts, { secret, baseUrl })).rejects.toThrow(
    /request\.user already exists.*decorateAs\.request/,
  )
  const again = Fastify()
  await again.register(accounts, { secret, baseUrl })
  await expect(again.register(accounts, { secret, baseUrl })).rejects.toThrow(
    /app\.accounts already exists.*decorateAs\.instance/,
  )
})

test("every route accepts the host's constraints", async () => {
  const service = await testApp({ constraints: { version: '1.2.0' } })
  expect((await service.send('POST', '/login/', credentials)).statusCode).toBe(404)
  const versioned = await service.send('POST', '/login/', credentials, {
    headers: { 'accept-version': '1.x' },
  })
  expect(versioned.statusCode).toBe(401)
  expect(
    (await service.send('PUT', '/login', undefined, { headers: { 'accept-version': '1.x' } })).statusCode,
  ).toBe(405)
})

test.each([
  [{ ignoreTrailingSlash: true }],
  [{ routerOptions: { ignoreTrailingSlash: true } }],
  [{ routerOptions: { caseSensitive: false } }],
  [{ routerOptions: { ignoreDuplicateSlashes: true } }],
  [{ exposeHeadRoutes: false }],
  [{ ajv: { customOptions: { coerceTypes: 'array', removeAdditional: 'all' } } }],
  [{ bodyLimit: 10 }],
] as const)('the routes behave the same with the host setting %j', async (server) => {
  const before = (app: FastifyInstance) => app.all('/*', (_request, reply) => reply.code(418).send())
  const service = await testApp({}, { server: server as object, before })
  await signUp(service, 'alice', { email: 'alice@example.org' })
  for (const url of ['/login/', '/login'])
    expect((await service.send('POST', url, credentials)).statusCode).toBe(200)
  expect((await service.send('PUT', '/login')).headers.allow).toBe('POST')
  expect((await service.send('HEAD', '/api-root/')).statusCode).toBe(200)
  expect(
    (await service.send('POST', '/login/', { username: 7, password: ['x'] })).json().fields,
  ).toHaveLength(2)
  expect((await service.send('POST', '/login/', { ...credentials, extra: 1 })).json().fields).toMatchObject([
    { code: 'unknown' },
  ])
  await service.send('POST', '/forgot/', { email: 'alice@example.org' })
  expect((await service.send('GET', linkPath(await service.mail('reset-password')))).statusCode).toBe(200)

  await service.send('POST', '/user/v/', { email: 'alice@example.org' })
  const link = linkPath(await service.mail('verify-email'))
  for (const page of [link, link.slice(0, -1), `${link}%3E`, `${link.slice(0, -1)})`]) {
    const shown = await service.app.inject({ url: page, headers: browser })
    const url = formTarget(shown.body, page, 'password')
    const payload = { password: otherPassword }
    const wrong = await service.app.inject({ method: 'POST', url, headers: browser, payload })
    expect([page, wrong.statusCode, formTarget(wrong.body, url, 'password')]).toEqual([page, 400, url])
  }
  for (const url of [`${link}password/`, `${link}password`, `${link.slice(0, -1)})/password/`]) {
    for (const method of ['GET', 'HEAD', 'PUT'] as const) {
      const { statusCode, headers } = await service.app.inject({ method, url })
      expect([method, url, statusCode, headers.allow]).toEqual([method, url, 405, 'POST'])
    }
    expect((await service.send('POST', url, { password: goodPassword })).json()).toMatchObject({
      verified: true,
    })
  }
  // Neither a way to use a link nor marks behind it.
  for (const more of ['passwords/', 'password/more/', 'new-password-/'])
    expect((await service.send('POST', link + more)).json().code).toMatch(/INVALID_(LINK|INPUT)/)
})

test("the host's validator, serializer and parsers have no effect", async () => {
  const service = await testApp(
    {},
    {
      before: (app) => {
        app.setValidatorCompiler(() => () => ({ error: new Error('the validator of the host') }))
        app.setSerializerCompiler(() => () => '"the serializer of the host"')
        app.removeAllContentTypeParsers()
        app.addContentTypeParser('*', (_request, _payload, done) => done(null, 'the parser of the host'))
      },
    },
  )
  await signUp(service)
  const login = await service.send('POST', '/login/', credentials)
  expect(login.json()).toMatchObject({ username: 'alice' })
  const text = { payload: 'x', headers: { 'content-type': 'text/plain' } }
  expect((await service.app.inject({ method: 'POST', url: '/login/', ...text })).statusCode).toBe(415)
})

test('a host that passes the error on loses none of it', async () => {
  const handlers: Parameters<FastifyInstance['setErrorHandler']>[0][] = [
    (error, _request, reply) => reply.code((error as AccountsError).statusCode ?? 500).send(error),
    (error, _request, reply) => {
      reply.send(error)
    },
    (error) => {
      throw error
    },
    (error, _request, reply) =>
      reply.code((error as AccountsError).statusCode).send((error as AccountsError).toJSON()),
  ]
  const plain = await testApp()
  const expected = (await plain.send('POST', '/login/', {})).json()
  expect(expected.fields).toHaveLength(2)
  for (const handler of handlers) {
    const service = await testApp(
      { errorResponses: 'host' },
      { before: (app) => void app.setErrorHandler(handler) },
    )
    const response = await service.send('POST', '/login/', {})
    expect([response.statusCode, response.json()]).toEqual([400, expected])
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8')
  }
})

test("the plugin's routes keep its format, whatever the host's error handler does", async () => {
  const service = await testApp(
    {},
    {
      before: (app) =>
        void app
          .setErrorHandler((_error, _request, reply) => reply.code(418).send({ oops: true }))
          .get('/own', () => {
            throw new AccountsError('ACCOUNTS_FORBIDDEN')
          }),
    },
  )
  const response = await service.send('POST', '/login/', {})
  expect([response.statusCode, response.json().fields.length]).toEqual([400, 2])
  expect((await service.send('GET', '/own')).statusCode).toBe(418)
})

test("an error of the host's hooks is never sent as a success, a redirect or an unknown status", async () => {
  for (const statusCode of [200, 302, 0, 999, '503', 400.5]) {
    const error = Object.assign(new Error('the text is private'), { statusCode, code: 'PRIVATE' })
    const service = await testApp(
      {},
      { before: (app) => void app.addHook('preHandler', async () => Promise.reject(error)) },
    )
    const response = await service.send('POST', '/login/', credentials)
    expect([statusCode, response.statusCode]).toEqual([statusCode, 500])
    expect(response.body).not.toMatch(/private/i)
  }
})

test("errorResponses: 'host': errors go to the host's error handler, whenever it was set", async () => {
  for (const late of [false, true]) {
    const app = Fastify()
    const setHandler = () =>
      app.setErrorHandler((error: AccountsError, _request, reply) =>
        reply
          .code(error.statusCode ?? 500)
          .type('application/problem+json')
          .send({ type: `urn:${error.code}`, faults: error.fields }),
      )
    if (!late) setHandler()
    await app.register(accounts, {
      secret,
      baseUrl,
      errorResponses: 'host',
      passwordHasher: cheapHasher(),
      mailer: outbox(),
      throttle: { limits: { forgot: { max: 2, window: 60_000 } } },
    })
    if (late) setHandler()
    const post = (url: string, payload: object) => app.inject({ method: 'POST', url, payload })
    const wrong = await post('/login/', credentials)
    expect([wrong.statusCode, wrong.headers['content-type']]).toEqual([
      401,
      'application/problem+json; charset=utf-8',
    ])
    expect(wrong.json()).toEqual({ type: 'urn:ACCOUNTS_INVALID_CREDENTIALS' })
    expect((await post('/forgot/', {})).json()).toMatchObject({
      type: 'urn:ACCOUNTS_INVALID_INPUT',
      faults: [{ field: 'email' }],
    })
    expect((await app.inject({ url: '/login/' })).json()).toEqual({ type: 'urn:ACCOUNTS_METHOD_NOT_ALLOWED' })
    await post('/forgot/', { email: 'a@example.org' })
    const over = await post('/forgot/', { email: 'a@example.org' })
    expect(over.json()).toEqual({ type: 'urn:ACCOUNTS_THROTTLED' })
    expect(over.headers['retry-after']).toBeDefined()
    const page = await app.inject({ url: '/reset/x/y/', headers: { accept: 'text/html' } })
    expect(page.headers['content-type']).toContain('text/html')
  }
})

test("the host's own @fastify/cookie and @fastify/rate-limit are used", async () => {
  const counted: string[] = []
  class Store {
    incr(key: string, callback: (error: null, result: object) => void) {
      counted.push(key)
      callback(null, { current: counted.length, ttl: 1000 })
    }
    child() {
      return this
    }
  }
  const service = await testApp(
    { throttle: {} },
    {
      before: async (app) => {
        await app.register(fastifyCookie)
        await app.register(fastifyRateLimit, { global: false, store: Store as never })
      },
    },
  )
  await signUp(service)
  const cookie = await logIn(service)
  expect(counted).toEqual(['accounts:create:127.0.0.1', 'accounts:login:127.0.0.1'])
  expect(await whoIs(service, cookie)).toBe('alice')
})

describe.each([
  [
    'an object',
    (_request: unknown, { after }: { after: string }) => ({ statusCode: 429, ok: false, retry: after }),
  ],
  [
    'an object with a message',
    (_request: unknown, { after }: { after: string }) => ({
      statusCode: 429,
      code: 'SLOW',
      message: 'Slow down',
      after,
    }),
  ],
  ['an error', () => Object.assign(new Error('Slow down'), { statusCode: 429, retry: 1 })],
])("@fastify/rate-limit with %s of the app's", (_name, errorResponseBuilder) => {
  test("gives on the plugin's routes what it gives on those of the app", async () => {
    const { app } = await testApp(
      {},
      {
        async before(host) {
          await host.register(fastifyRateLimit, { max: 1, timeWindow: 60_000, errorResponseBuilder })
          host.post('/own', async () => 'ok')
        },
      },
    )
    const second = async (url: string) => {
      await app.inject({ method: 'POST', url })
      return app.inject({ method: 'POST', url })
    }
    const [own, ours] = [await second('/own'), await second('/logout/')]
    expect([ours.statusCode, ours.json()]).toEqual([429, own.json()])
    for (const name of ['retry-after', 'x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'])
      expect([name, ours.headers[name]]).toEqual([name, own.headers[name] ?? 'missing'])
    const page = async () => app.inject({ url: '/reset/d/', headers: { accept: 'text/html' } })
    await page()
    const { statusCode, body } = await page()
    expect(statusCode).toBe(429)
    expect(body).toMatch(/Slow down|Too many attempts/)
  })
})

test("the host's @fastify/rate-limit isn't used if it counts in memory, where five thousand other clients evict one", async () => {
  const service = await testApp(
    { throttle: {} },
    { before: (app) => app.register(fastifyRateLimit, { global: false }) },
  )
  const use = async (remoteAddress: string) =>
    (await service.app.inject({ url: '/reset/a/b/', remoteAddress })).statusCode
  for (let n = 0; n < 20; n += 1) expect(await use('192.0.2.1')).toBe(400)
  for (let n = 0; n < 5100; n += 100) {
    await Promise.all(Array.from({ length: 100 }, (_, k) => use(`10.0.${(n + k) >> 8}.${(n + k) & 255}`)))
  }
  expect(await use('192.0.2.1')).toBe(429)
})

test('if the host has @fastify/session, the login is stored there, under the same rules', async () => {
  const service = await testApp(
    {},
    {
      before: async (app) => {
        await app.register(fastifyCookie)
        await app.register(fastifySession, {
          secret: 'x'.repeat(40),
          cookie: { secure: false },
          saveUninitialized: false,
        })
        app.get('/cart', async (request) => {
          request.session.set('cart' as never, 'apples' as never)
          return 'ok'
        })
        app.get(
          '/who',
          { preHandler: (request, reply) => app.accounts.loadUser(request, reply) },
          async (request) => ({ name: request.user?.username ?? null }),
        )
      },
    },
  )
  await signUp(service, 'alice', { email: 'alice@example.org' })
  const { app, send } = service
  const sessionCookie = (response: Parameters<typeof cookieOf>[0]) => {
    const found = response.cookies.findLast((each) => each.name === 'sessionId')
    return `sessionId=${encodeURIComponent(found?.value ?? '')}`
  }
  const anonymous = sessionCookie(await app.inject('/cart'))
  const login = await send('POST', '/login/', credentials, { headers: { cookie: anonymous } })
  const cookie = sessionCookie(login)
  expect(cookie).not.toBe(anonymous)
  const who = async (each: string) =>
    (await app.inject({ url: '/who', headers: { cookie: each } })).json().name
  expect([await who(cookie), await who(anonymous)]).toEqual(['alice', null])
  expect(service.sessions.rows.size).toBe(0)

  const second = sessionCookie(await send('POST', '/login/', credentials))
  const body = { old_password: goodPassword, new_password: otherPassword, confirm_password: otherPassword }
  const changed = await send('POST', '/change-password/', body, { headers: { cookie } })
  expect(changed.statusCode).toBe(204)
  const renewed = sessionCookie(changed)
  expect([await who(cookie), await who(second), await who(renewed)]).toEqual([null, null, 'alice'])
  expect(
    (await app.inject({ method: 'POST', url: '/logout/', headers: { cookie: renewed } })).statusCode,
  ).toBe(204)
  expect(await who(renewed)).toBeNull()
  expect((await app.inject({ method: 'POST', url: '/logout/' })).statusCode).toBe(204)
})

test('app.close() waits for emails being sent', async () => {
  const sent: string[] = []
  let release = (): void => {}
  const handedOver = new Promise<void>((resolve) => {
    release = resolve
  })
  const mailer = {
    async send(mail: { kind: string }) {
      await handedOver
      sent.push(mail.kind)
    },
  }
  const service = await testApp({ mailer })
  await signUp(service, 'alice', { email: 'alice@example.org' })
  // The response has been sent, but no email has: it doesn't wait for the mailer.
  expect((await service.send('POST', '/forgot/', { email: 'alice@example.org' })).statusCode).toBe(202)
  let closed = false
  const closing = service.app.close().then(() => {
    closed = true
  })
  await service.settle()
  expect([closed, sent]).toEqual([false, []])
  release()
  await closing
  expect(sent).toEqual(['reset-password'])
})

test('a mailer that fails is retried, then reported', async () => {
  let attempts = 0
  const mailer = {
    async send() {
      attempts += 1
      if (attempts < 3) throw new Error('greylisted')
    },
  }
  const service = await testApp({ mailer })
  await signUp(service, 'alice', { email: 'alice@example.org' })
  expect((await service.send('POST', '/forgot/', { email: 'alice@example.org' })).statusCode).toBe(202)
  await expect.poll(() => attempts).toBe(3)

  const broken = await testApp({
    mailer: {
      send: () => {
        throw new Error('no route to host')
      },
    },
  })
  const failures: unknown[] = []
  broken.app.accounts.events.on('mail-failed', (failure) => failures.push(failure))
  const user = await signUp(broken, 'alice', { email: 'alice@example.org' })
  expect((await broken.send('POST', '/forgot/', { email: 'alice@example.org' })).statusCode).toBe(202)
  await expect.poll(() => failures).toMatchObject([{ kind: 'reset-password', userId: user.id }])
})

test('AccountsError is exported, so handlers can recognize it', () => {
  expect(new AccountsError('ACCOUNTS_NOT_FOUND')).toMatchObject({ statusCode: 404, name: 'AccountsError' })
})

test('userOf returns the user of a guarded route, and throws if no hook has run', async () => {
  const service = await testApp(
    {},
    {
      before: (app) => {
        app.get(
          '/guarded',
          { onRequest: (request, reply) => app.accounts.requireUser(request, reply) },
          (request) => app.accounts.userOf(request).username,
        )
        app.get('/forgotten', (request) => app.accounts.userOf(request).username)
      },
    },
  )
  await signUp(service)
  const headers = { cookie: await logIn(service) }
  expect((await service.app.inject({ url: '/guarded', headers })).body).toBe('alice')
  expect((await service.app.inject({ url: '/forgotten', headers })).json().code).toBe(
    'ACCOUNTS_LOGIN_REQUIRED',
  )
})

test('passwords are set and users deleted without HTTP', async () => {
  const service = await testApp()
  const user = await signUp(service, 'alice', { email: 'alice@example.org' })
  const cookie = await logIn(service)
  const { setPassword, deleteUser } = service.app.accounts
  await expect(setPassword(user.id, 'short')).rejects.toMatchObject({
    fields: [{ field: 'password', code: 'too_short' }],
  })
  expect(await setPassword(user.id, otherPassword)).toBe(true)
  expect(await whoIs(service, cookie)).toBeNull()
  const { findUser, updateUser } = service.app.accounts
  for (const query of [{ id: user.id }, { username: 'ALICE' }, { email: ' Alice@Example.org' }]) {
    expect(await findUser(query)).toMatchObject({ id: user.id, username: 'alice' })
  }
  for (const query of [
    { id: 'x' },
    { username: 'bob' },
    { username: '' },
    { username: 'a\0' },
    { email: 'x' },
    { email: 'b@example.org' },
  ]) {
    expect(await findUser(query)).toBeNull()
  }
  const watched = await logIn(service, 'alice', otherPassword)
  expect(await updateUser(user.id, { isStaff: true })).toMatchObject({
    isStaff: true,
    isActive: true,
    isVerified: false,
  })
  expect(await whoIs(service, watched)).toBe('alice')
  expect(await updateUser(user.id, { isActive: false })).toMatchObject({ isStaff: true, isActive: false })
  expect([await whoIs(service, watched), service.sessions.rows.size]).toEqual([null, 0])
  expect(await updateUser('nobody', { isStaff: true })).toBeNull()
  for (const wrong of [{ isActive: 'true' }, { is_active: true }, { isActive: null }]) {
    await expect(updateUser(user.id, wrong as never)).rejects.toMatchObject({
      code: 'ACCOUNTS_INVALID_INPUT',
    })
  }
  for (const wrong of ['alice', {}, { nope: 1 }, { id: 7 }, { id: user.id, username: 'alice' }]) {
    await expect(findUser(wrong as never)).rejects.toMatchObject({ code: 'ACCOUNTS_INVALID_INPUT' })
  }
  expect((await findUser({ id: user.id }))?.isActive).toBe(false)
  await updateUser(user.id, { isActive: true })
  const again = await logIn(service, 'alice', otherPassword)
  expect([await setPassword('nobody', otherPassword), await deleteUser('nobody')]).toEqual([false, false])
  expect(await deleteUser(user.id)).toBe(true)
  expect(await whoIs(service, again)).toBeNull()
})

test.each([
  [{}, { username: 'required', password: 'required' }],
  [
    { username: 7, password: 7 },
    { username: 'invalid', password: 'invalid' },
  ],
  [{ username: 'a', password: 'long enough \ud800' }, { password: 'invalid' }],
  [{ username: 'a', password: goodPassword, fields: { nope: 1 } }, { nope: 'unknown' }],
  [{ username: 'a', password: goodPassword, email: 7 }, { email: 'invalid' }],
  [{ username: 'a', password: goodPassword, isStaff: 'false' }, { isStaff: 'invalid' }],
  [{ username: 'a', password: goodPassword, is_staff: true }, { is_staff: 'unknown' }],
])("createUser validates a script's input: %j", async (input, faults) => {
  const service = await testApp()
  const error = await service.app.accounts.createUser(input as never).catch((caught: AccountsError) => caught)
  expect(error).toMatchObject({ code: 'ACCOUNTS_INVALID_INPUT' })
  const fields = (error as AccountsError).fields?.map(({ field, code }) => [field, code]) ?? []
  expect(Object.fromEntries(fields)).toEqual(faults)
  await service.app.accounts.createUser({ username: 'a', password: goodPassword, email: null })
})

test('another session plugin, or a late @fastify/session, stops the start with one line', async () => {
  const taken = Fastify()
  taken.decorateRequest('session', { getter: () => ({}) as never })
  await expect(taken.register(accounts, { secret, baseUrl })).rejects.toThrow(
    /^fastify-accounts: request\.session belongs to a plugin other/,
  )
  const late = Fastify()
  await late.register(accounts, { secret, baseUrl, mailer: outbox() })
  await late.register(fastifyCookie)
  await late.register(fastifySession, { secret: 'x'.repeat(40) })
  await expect(late.ready()).rejects.toThrow(/^fastify-accounts: register @fastify\/session before/)
})

test("the host's @fastify/cookie may use a later hook", async () => {
  const service = await testApp(
    {},
    { before: async (app) => void (await app.register(fastifyCookie, { hook: 'preHandler' })) },
  )
  await signUp(service)
  const cookie = await logIn(service)
  expect(await whoIs(service, cookie)).toBe('alice')
  const again = await service.send('POST', '/login/', credentials, { headers: { cookie } })
  expect(again.statusCode).toBe(200)
  expect(await whoIs(service, cookie)).toBeNull()
  const out = await service.app.inject({
    method: 'POST',
    url: '/logout/',
    headers: { cookie: cookieOf(again) },
  })
  expect([out.statusCode, await whoIs(service, cookieOf(again))]).toEqual([204, null])
})

test("login and logout work if the host's @fastify/cookie has no hook", async () => {
  const service = await testApp(
    {},
    { before: async (app) => void (await app.register(fastifyCookie, { hook: false })) },
  )
  await signUp(service)
  const cookie = await logIn(service)
  expect(await whoIs(service, cookie)).toBe('alice')
  const { headers } = await service.send('POST', '/logout/', undefined, { headers: { cookie } })
  expect(String(headers['set-cookie'])).toContain('session=; Max-Age=0')
  expect(await whoIs(service, cookie)).toBeNull()
})

test('a request target in absolute form is treated the same', async () => {
  const service = await testApp()
  await signUp(service)
  const { port } = new URL(await service.app.listen({ port: 0, host: '127.0.0.1' }))
  const payload = JSON.stringify(credentials)
  const head = `POST http://localhost/login/ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${payload.length}\r\n\r\n`
  const socket = connect(Number(port), '127.0.0.1')
  socket.write(head + payload)
  const response = await text(socket)
  expect(response).toMatch(/^HTTP\/1\.1 200 OK/)
  expect(response).toMatch(/set-cookie: session=/)
  await service.app.close()
})

test('over a Unix socket, which has no addresses, all clients share one rate limit', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'accounts-'))
  const path = join(folder, 'socket')
  const service = await testApp({ throttle: { limits: { forgot: { max: 1, window: 60_000 } } } })
  await service.app.listen({ path })
  const post = () =>
    new Promise<number>((resolve, reject) => {
      const outgoing = request(
        {
          socketPath: path,
          method: 'POST',
          path: '/forgot/',
          headers: { 'content-type': 'application/json' },
        },
        (response) => {
          response.resume()
          resolve(response.statusCode ?? 0)
        },
      )
      outgoing.on('error', reject)
      outgoing.end('{"email":"a@example.org"}')
    })
  const ips: (string | null)[] = []
  service.app.accounts.events.on('audit', ({ ip }) => void ips.push(ip))
  expect([await post(), await post()]).toEqual([202, 429])
  await service.app.close()
  await rm(folder, { recursive: true })
  expect(ips).toEqual([null, null])
})

test('a client that has reset its connection, whose address is then unknown, sets off no warning', async () => {
  const warnings: string[] = []
  const stream = { write: (line: string) => void warnings.push(JSON.parse(line).code) }
  const addresses: (string | undefined)[] = []
  const service = await testApp(
    { requireEmailConfirmation: false },
    {
      server: { logger: { level: 'warn', stream } },
      before: (app) =>
        app.addHook('onRequest', async ({ raw }) => void addresses.push(raw.socket.remoteAddress)),
    },
  )
  await service.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = service.app.server.address() as AddressInfo
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  socket.write('GET /api-root/ HTTP/1.1\r\nHost: localhost\r\n\r\n')
  // Sent before the server's next turn, in which it reads the request.
  socket.resetAndDestroy()
  await expect.poll(() => addresses).toEqual([undefined])
  expect(warnings).toEqual([])
  await service.app.inject({ url: '/api-root/', remoteAddress: 'unknown' })
  expect(warnings).toEqual(['ACCOUNTS_WARN_NO_ADDRESS'])
  await service.app.close()
})

test('over HTTP/2, where no header announces a body, holding one back gains nothing either', async () => {
  const app = Fastify({ http2: true })
  let admitted = 0
  app.addHook('preParsing', async () => {
    admitted += 1
  })
  await app.register(accounts, {
    secret,
    baseUrl,
    users: true,
    passwordHasher: cheapHasher(),
    mailer: outbox(),
  })
  const { id } = await app.accounts.createUser({ username: 'alice', password: goodPassword })
  const origin = await app.listen({ port: 0, host: '127.0.0.1' })
  const session = connectHttp2(origin)
  const ask = (method: string, path: string, cookie = '') =>
    session.request({ ':method': method, ':path': path, cookie, 'content-type': 'application/json' })
  const login = ask('POST', '/login/')
  login.end(JSON.stringify(credentials))
  const [entered] = (await once(login, 'response')) as [IncomingHttpHeaders]
  const cookie = (entered['set-cookie'] ?? []).map((line) => line.split(';')[0]).join('; ')
  admitted = 0
  const held = ask('PATCH', '/me/', cookie)
  const responded = once(held, 'response')
  await expect.poll(() => admitted).toBe(1)
  await app.accounts.setPassword(id, otherPassword)
  held.end('{"username":"mallory"}')
  const [response] = (await responded) as [IncomingHttpHeaders]
  expect([entered[':status'], response[':status']]).toEqual([200, 401])
  expect(await app.accounts.findUser({ id })).toMatchObject({ username: 'alice' })
  session.destroy()
  await app.close()
})

test("the host's Vary header is kept, and its log level applies", async () => {
  const lines: string[] = []
  const logger = { level: 'info', stream: { write: (line: string) => void lines.push(line) } }
  const service = await testApp({ logLevel: 'silent' } as object, {
    server: { logger },
    before: (app) => {
      app.addHook('onRequest', async (_request, reply) => void reply.header('vary', 'Origin'))
    },
  })
  const response = await service.send('GET', '/reset/d/')
  expect(response.headers.vary?.split(', ').sort()).toEqual(['Accept', 'Accept-Language', 'Origin'])
  expect(lines.filter((line) => line.includes('incoming request'))).toEqual([])
})

test.each([
  ['/', ''],
  ['/api/', '/api'],
])(
  'below a scope with the prefix %s, links and redirects lead to where the routes are',
  async (prefix, path) => {
    const app = Fastify()
    const { mails, ...mailer } = outbox()
    await app.register(async (scope) => scope.register(accounts, { secret, baseUrl, users: true, mailer }), {
      prefix,
    })
    const email = 'alice@example.org'
    const account = { username: 'alice', password: goodPassword, confirm_password: goodPassword, email }
    const created = await app.inject({ method: 'POST', url: `${path}/user/`, payload: account })
    expect(created.headers.location).toMatch(new RegExp(`^${baseUrl}${path}/user/[^/]+$`))
    await app.inject({ method: 'POST', url: `${path}/forgot/`, payload: { email } })
    await expect.poll(() => mails.length).toBe(1)
    const link = linkPath(mails[0] ?? expect.fail())
    expect(link).toMatch(new RegExp(`^${path}/reset/`))
    const payload = { new_password: otherPassword, confirm_password: otherPassword }
    const done = await app.inject({ method: 'POST', url: link, payload, headers: { accept: 'text/html' } })
    expect([done.statusCode, done.headers.location]).toEqual([303, `${path}/reset/d/`])
    const wellKnown = await app.inject('/.well-known/change-password')
    expect(wellKnown.statusCode).toBe(path === '' ? 302 : 404)
    await app.close()
  },
)

test('below a scope whose prefix has a parameter, the start stops with one line', async () => {
  const app = Fastify()
  app.register(async (scope) => scope.register(accounts, { secret, baseUrl }), { prefix: '/t/:tenant' })
  await expect(app.ready()).rejects.toThrow(
    "fastify-accounts: the option prefix can't be below a scope whose prefix has a parameter, /t/:tenant",
  )
})

test("Fastify's own error handler never shows the text of an internal error, whatever a bundler calls it", async () => {
  const broken: Feature = {
    name: 'broken',
    routes: () => ({
      auth: [
        {
          ...{
            name: 'broken',
            action: 'me',
            method: 'GET',
            path: '/broken/',
            access: 'anyone',
            budget: null,
          },
          operation: { id: 'breakDown', summary: 'Break down', errors: [] },
          schema: { response: {} },
          async handle() {
            throw new Error('table tenants_17 is locked')
          },
        },
      ],
    }),
  }
  const service = await testApp({ features: [broken] })
  const { errorHandler } = service.app
  const { name } = errorHandler
  Object.defineProperty(errorHandler, 'name', { value: 'fV' })
  try {
    const response = await service.send('GET', '/broken/')
    expect([response.statusCode, response.json().message]).toEqual([500, 'Something went wrong.'])
  } finally {
    Object.defineProperty(errorHandler, 'name', { value: name })
  }
})

test('OPTIONS is left to the host, which handles CORS preflights', async () => {
  const service = await testApp(
    {},
    {
      before: (app) => app.options('/*', (_request, reply) => reply.code(204).header('x-host', 'yes').send()),
    },
  )
  const response = await service.app.inject({ method: 'OPTIONS', url: '/login/' })
  expect([response.statusCode, response.headers['x-host']]).toEqual([204, 'yes'])
})

test('limits by client hold while the store of the rate limit of the host is down, even if the host skips errors', async () => {
  class BrokenStore {
    incr(_key: string, callback: (error: Error | null) => void): void {
      callback(new Error('away'))
    }
    child(): this {
      return this
    }
  }
  const service = await testApp(
    { throttle: {} },
    {
      before: (app) =>
        app.register(fastifyRateLimit, { global: false, skipOnError: true, store: BrokenStore as never }),
    },
  )
  const response = await service.send('POST', '/forgot/', { email: 'alice@example.org' })
  expect([response.statusCode, response.json().code]).toEqual([503, 'ACCOUNTS_UNAVAILABLE'])
})

test('a hash that waited runs in the context of its own request', async () => {
  const context = new AsyncLocalStorage<string>()
  const seen: unknown[] = []
  const hasher = cheapHasher()
  const service = await testApp(
    {
      password: { concurrency: 1 },
      passwordHasher: {
        ...hasher,
        async verify(password, hash) {
          seen.push([password, context.getStore()])
          return hasher.verify(password, hash)
        },
      },
    },
    { before: (app) => app.addHook('onRequest', (request, _reply, done) => context.run(request.id, done)) },
  )
  await signUp(service)
  const passwords = ['first one', 'second one', 'third one']
  seen.length = 0
  const statuses = await Promise.all(
    passwords.map(async (password) => {
      const response = await service.send('POST', '/login/', { username: 'alice', password })
      return response.statusCode
    }),
  )
  expect(statuses).toEqual([401, 401, 401])
  expect(new Set(seen.map((each) => (each as string[])[1])).size).toBe(3)
})
