import { once } from 'node:events'
import { request as send } from 'node:http'
import {
  cookieOf,
  goodPassword,
  logIn,
  otherPassword,
  signUp,
  type TestApp,
  testApp,
} from '@fastify-accounts/test-support/app'
import { everyFeature, type Mounted, mountedOperations } from '@fastify-accounts/test-support/operations'
import { deliveredBy, tokenClient } from '@fastify-accounts/test-support/tokens'
import type { FastifyInstance, FastifyReply, FastifyRequest, InjectOptions } from 'fastify'
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { type Feature, route } from '../src/features/index.js'
import {
  AccountsError,
  type AccountsOptions,
  type AuditEvent,
  createMemoryActivityStore,
  RuleError,
  tokens,
} from '../src/index.js'

type Input = { params?: object; query?: object; body?: object }
type Perform = (
  request: FastifyRequest,
  reply: FastifyReply,
  id: string,
  input?: Input,
) => Promise<{ status: number; body: unknown }>

/** A route of the app for each operation, which takes the input from a header and sends what it gets. */
function ownRoutes(app: FastifyInstance, operations: ReadonlyMap<string, { method: string }>): void {
  for (const [id, { method }] of operations) {
    app.route({
      method,
      url: `/own/${id}`,
      async handler(request, reply) {
        const input = JSON.parse(String(request.headers['x-input'] ?? '{}'))
        const perform = app.accounts.perform as Perform
        const { status, body } = await perform(request, reply, id, input)
        return reply.code(status).send(body)
      },
    })
  }
}

/** Sends errors of ours as our routes do. */
function sendErrors(app: FastifyInstance): void {
  app.setErrorHandler((error: AccountsError | RuleError | Error, _request, reply) => {
    const { statusCode = 500 } = error as { statusCode?: number }
    const isOurs = error instanceof AccountsError || error instanceof RuleError
    return reply.code(statusCode).send(isOurs ? error.toJSON() : error)
  })
}

/** What a field takes, so that some requests succeed. */
const samples: Readonly<Record<string, unknown>> = {
  password: goodPassword,
  old_password: goodPassword,
  new_password: otherPassword,
  confirm_password: otherPassword,
  email: 'somebody@example.org',
}

function bodyOf({ operation: { id }, schema }: Mounted, username: string): object | undefined {
  const { body } = schema as {
    body?: { required?: string[]; properties?: Record<string, { examples?: unknown[]; enum?: unknown[] }> }
  }
  if (body === undefined) return undefined
  const { required = [], properties = {} } = body
  const names = id === 'changePassword' ? ['old_password', ...required] : required
  const values = names.map((name) => {
    const { examples, enum: some } = properties[name] ?? {}
    const value = name === 'username' ? username : (samples[name] ?? examples?.[0] ?? some?.[0] ?? 'x')
    return [name, value]
  })
  return id === 'confirm' ? { password: goodPassword } : Object.fromEntries(values)
}

const visitors = ['nobody', 'a user', 'staff', 'a user with tokens'] as const

describe('an operation in a route of the app', () => {
  let operations: Map<string, Mounted>
  let service: TestApp
  const events: AuditEvent[] = []

  beforeAll(async () => {
    const options = {
      login: { emailCode: true },
      // When an event is delivered, neither request decides.
      activity: { ...createMemoryActivityStore(), add: async () => {} },
      features: await everyFeature(),
    } as const
    const { app, mounted } = await mountedOperations(options)
    await app.close()
    operations = mounted
    service = await testApp(options, {
      before(host) {
        sendErrors(host)
        ownRoutes(host, mounted)
      },
    })
    service.app.accounts.events.on('audit', (event) => events.push(event))
  })

  /** What a request by such a visitor gets, without what is different each time. */
  async function outcomeOf(route: Mounted, visitor: (typeof visitors)[number], name: string, isOwn: boolean) {
    const { id } = route.operation
    const user = await signUp(service, name, { email: `${name}@example.org` })
    if (visitor === 'staff') await service.app.accounts.updateUser(user.id, { isStaff: true })
    const headers: Record<string, string> = {}
    if (visitor === 'a user with tokens') {
      const client = tokenClient(service)
      await client.send('POST', '/login/', { username: name, password: goodPassword })
      headers.authorization = `Bearer ${client.tokens?.access_token}`
    } else if (visitor !== 'nobody') headers.cookie = await logIn(service, name)
    const params: Record<string, string> = {}
    for (const [, part = ''] of route.path.matchAll(/\{(\w+)\}/g))
      params[part] = part === 'provider' ? 'google' : part === 'uid64' ? 'MQ' : user.id
    const query = route.operation.query?.email ? { email: 'new@example.org' } : {}
    const body = bodyOf(route, visitor === 'nobody' && id !== 'logIn' ? `${name}-new` : name)
    await service.settle()
    events.length = 0
    const path = route.path.replaceAll(/\{(\w+)\}/g, (_, part: string) => params[part] ?? '')
    const request: InjectOptions = isOwn
      ? {
          url: `/own/${id}`,
          headers: { ...headers, accept: 'text/html', 'x-input': JSON.stringify({ params, query, body }) },
        }
      : {
          url: path,
          query,
          headers: { ...headers, accept: 'application/json' },
          ...(body && { payload: body }),
        }
    const response = await service.app.inject({ method: route.method, ...request })
    await service.settle()
    const plain = (text: string) =>
      text
        .replaceAll(user.id, 'id')
        .replaceAll(name, 'name')
        .replaceAll(/\d{4,}/g, '…')
        .replaceAll(/(?<=")(?!ACCOUNTS)[^" ]{16,}(?=")/g, '…')
    const kept = ['retry-after', 'www-authenticate', 'cache-control', 'content-language', 'clear-site-data']
    return {
      status: response.statusCode,
      body: plain(response.body),
      cookies: response.cookies.map((cookie) => [cookie.name, cookie.value === '']).sort(),
      tokens: Object.keys(deliveredBy(response) ?? {}),
      state: response.headers['accounts-state'] !== undefined,
      headers: Object.fromEntries(kept.map((each) => [each, response.headers[each]])),
      events: events.map(({ action, method, outcome, reason, userId, actorId }) =>
        plain(JSON.stringify({ action, method, outcome, reason, userId, actorId })),
      ),
    }
  }

  // Some two hundred requests.
  test.each(visitors)('is what our route is, for %s', async (visitor) => {
    const statuses = new Set<number>()
    let count = 0
    for (const route of operations.values()) {
      count += 1
      const ours = await outcomeOf(route, visitor, `a${count}-${visitors.indexOf(visitor)}`, false)
      const own = await outcomeOf(route, visitor, `b${count}-${visitors.indexOf(visitor)}`, true)
      expect({ id: route.operation.id, ...own }).toEqual({ id: route.operation.id, ...ours })
      statuses.add(ours.status)
    }
    expect(count).toBeGreaterThan(80)
    expect([...statuses].sort()).toEqual(
      expect.arrayContaining(visitor === 'nobody' ? [200, 202, 400, 401] : [200, 204]),
    )
  })
})

type Handler = (
  perform: FastifyInstance['accounts']['perform'],
  request: FastifyRequest,
  reply: FastifyReply,
) => unknown

/** An app with routes of its own, below /own/, that perform operations. */
function appWith(
  handlers: Readonly<Record<string, Handler>>,
  options: Partial<AccountsOptions> = {},
  before: (app: FastifyInstance) => unknown = () => {},
): Promise<TestApp> {
  return testApp(options, {
    async before(app) {
      await before(app)
      for (const [name, handler] of Object.entries(handlers)) {
        const [method = '', url = ''] = name.split(' ')
        app.route({
          method,
          url: `/own${url}`,
          handler: (request, reply) => handler(app.accounts.perform, request, reply),
        })
      }
    },
  })
}

/** A login with names of its own. */
const ownLogin: Handler = async (perform, request, reply) => {
  const { mail, secret: password } = request.body as { mail: string; secret: string }
  const { body } = await perform(request, reply, 'logIn', { body: { username: mail, password } })
  return { me: body.username }
}

const mine = { mail: 'alice', secret: goodPassword }

test('a route of the app logs in with paths and shapes of its own', async () => {
  const service = await appWith({
    'POST /in': ownLogin,
    'GET /me': async (perform, request, reply) => (await perform(request, reply, 'showMe')).body,
  })
  await signUp(service)
  const response = await service.send('POST', '/own/in', mine)
  expect(response.json()).toEqual({ me: 'alice' })
  expect(response.headers).toMatchObject({ 'cache-control': 'no-store', vary: 'Accept-Language' })
  const cookie = cookieOf(response)
  expect((await service.app.inject({ url: '/own/me', headers: { cookie } })).json()).toMatchObject({
    username: 'alice',
    created_at: expect.stringContaining('T'),
  })
  const refused = await service.send(
    'POST',
    '/own/in',
    { ...mine, secret: 'wrong' },
    { headers: { 'accept-language': 'de' } },
  )
  expect(refused.json()).toEqual({
    statusCode: 401,
    code: 'ACCOUNTS_INVALID_CREDENTIALS',
    error: 'Unauthorized',
    message: expect.stringContaining('Anmeldedaten'),
  })
  expect(refused.headers).toMatchObject({ 'content-language': 'de', 'cache-control': 'no-store' })
})

test('a form of another site, a disabled user and a budget that is used up are refused as at our route', async () => {
  const service = await appWith(
    { 'POST /in': ownLogin },
    { throttle: { limits: { login: { max: 2, window: 60_000 } } } },
    (app) =>
      app.addContentTypeParser(
        'application/x-www-form-urlencoded',
        { parseAs: 'string' },
        (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
      ),
  )
  const { id } = await signUp(service)
  const form = { payload: new URLSearchParams(mine).toString(), method: 'POST', url: '/own/in' } as const
  const type = { 'content-type': 'application/x-www-form-urlencoded' }
  const foreign = { ...type, 'sec-fetch-site': 'cross-site', cookie: 'a=b' }
  expect((await service.app.inject({ ...form, headers: foreign })).json().code).toBe('ACCOUNTS_CROSS_SITE')
  expect(cookieOf(await service.app.inject({ ...form, headers: type }))).toBeTruthy()
  await service.app.accounts.updateUser(id, { isActive: false })
  expect((await service.app.inject({ ...form, headers: type })).json().code).toBe('ACCOUNTS_DISABLED')
  const late = await service.app.inject({ ...form, headers: type })
  expect([
    late.statusCode,
    late.headers['ratelimit-remaining'],
    Number(late.headers['retry-after']) > 0,
  ]).toEqual([429, '0', true])
  // The budget is the same one.
  expect(
    (await service.send('POST', '/login/', { username: 'alice', password: goodPassword })).statusCode,
  ).toBe(429)
})

test('a link with GET cannot change anything, and names of operations are checked', async () => {
  const errors: string[] = []
  const tell: Handler = async (perform, request, reply) => {
    const id = String((request.query as { id: string }).id) as 'logOut'
    await perform(request, reply, id).catch((error: Error) => errors.push(error.message))
    return {}
  }
  const service = await appWith({ 'GET /do': tell, 'POST /do': tell })
  for (const method of ['GET', 'HEAD'] as const) await service.send(method, '/own/do?id=logOut')
  await service.send('POST', '/own/do?id=logInn')
  await service.send('POST', '/own/do?id=refreshTokens')
  expect(errors).toEqual([
    expect.stringMatching(/logOut.* POST.* GET/),
    expect.stringMatching(/logOut.* POST.* HEAD/),
    expect.stringContaining('logInn'),
    expect.stringContaining('refreshTokens'),
  ])
})

test('operations of one request know nothing of each other', async () => {
  const events: AuditEvent[] = []
  const seen: unknown[] = []
  const service = await appWith(
    {
      'POST /several': async (perform, request, reply) => {
        // What a hook keeps with the request is another matter as well.
        await request.server.accounts.loadUser(request, reply)
        const wrong = { username: 'alice', password: 'wrong' }
        await perform(request, reply, 'logIn', { body: wrong }).catch((error: AccountsError) =>
          seen.push(error.code),
        )
        await perform(request, reply, 'showMe').catch((error: AccountsError) => seen.push(error.code))
        const { status } = await perform(request, reply, 'requestPasswordReset', {
          body: { email: 'a@example.org' },
        })
        seen.push(status)
        await perform(request, reply, 'logIn', { body: { username: 'alice', password: goodPassword } })
        // The request has no session, whatever the response will bring.
        await perform(request, reply, 'showMe').catch((error: AccountsError) => seen.push(error.code))
        return reply.code(418).send({})
      },
      'POST /out': async (perform, request, reply) => {
        seen.push(
          (await perform(request, reply, 'showMe')).status,
          (await perform(request, reply, 'logOut')).status,
        )
        await perform(request, reply, 'showMe').catch((error: AccountsError) => seen.push(error.code))
        return {}
      },
    },
    { throttle: { limits: { login: { max: 20, window: 60_000 } } } },
  )
  const { id } = await signUp(service)
  service.app.accounts.events.on('audit', (event) => events.push(event))
  const response = await service.send('POST', '/own/several', {})
  expect([
    response.statusCode,
    response.headers['www-authenticate'],
    response.headers['retry-after'],
  ]).toEqual([418, undefined, undefined])
  const loggedOut = await service.app.inject({
    method: 'POST',
    url: '/own/out',
    headers: { cookie: cookieOf(response) },
  })
  expect(loggedOut.statusCode).toBe(200)
  expect(seen).toEqual([
    'ACCOUNTS_INVALID_CREDENTIALS',
    'ACCOUNTS_LOGIN_REQUIRED',
    202,
    'ACCOUNTS_LOGIN_REQUIRED',
    200,
    204,
    'ACCOUNTS_LOGIN_REQUIRED',
  ])
  await service.settle()
  expect(events.map(({ action, outcome, userId, actorId }) => [action, outcome, userId, actorId])).toEqual([
    ['login', 'refused', id, null],
    ['me', 'refused', null, null],
    ['forgot', 'refused', null, null],
    ['login', 'success', id, null],
    ['me', 'refused', null, null],
    ['me', 'success', id, id],
    ['logout', 'success', id, null],
    ['me', 'refused', null, null],
  ])
})

test('a confirmation counts from the next request on', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const refused: unknown[] = []
  const change: Handler = (perform, request, reply) =>
    perform(request, reply, 'changeEmail', { body: { email: 'new@example.org' } }).catch(
      (error: AccountsError) => {
        refused.push(error.code)
        return {}
      },
    )
  const service = await appWith({
    'POST /change': change,
    'POST /both': async (perform, request, reply) => {
      await perform(request, reply, 'confirm', { body: { password: goodPassword } })
      return change(perform, request, reply)
    },
  })
  await signUp(service)
  const cookie = await logIn(service)
  vi.setSystemTime(Date.now() + 16 * 60_000)
  const response = await service.send('POST', '/own/both', {}, { headers: { cookie } })
  const changes = (with_: string) =>
    service.send('POST', '/own/change', {}, { headers: { cookie: with_ } }).then((each) => each.json().status)
  expect(await changes(cookieOf(response))).toBe(202)
  expect(refused).toEqual(['ACCOUNTS_CONFIRMATION_REQUIRED'])
})

test('for a client that has gone no password is checked', async () => {
  let arrive = () => {}
  let end = (_code: unknown) => {}
  const arrived = new Promise<void>((resolve) => (arrive = resolve))
  const ended = new Promise<unknown>((resolve) => (end = resolve))
  const service = await appWith({
    async 'POST /in'(perform, request, reply) {
      arrive()
      await once(reply.raw, 'close')
      await Promise.resolve(ownLogin(perform, request, reply)).then(end, ({ code }) => end(code))
      return {}
    },
  })
  await signUp(service)
  const { verifications } = service.hasher
  const url = `${await service.app.listen({ port: 0 })}/own/in`
  const client = send(url, { method: 'POST', headers: { 'content-type': 'application/json' } })
  client.on('error', () => {})
  client.end(JSON.stringify(mine))
  await arrived
  client.destroy()
  expect([await ended, service.hasher.verifications]).toEqual(['ACCOUNTS_UNAVAILABLE', verifications])
})

test('a client with tokens gets them in the body', async () => {
  const service = await appWith(
    {
      'POST /in': async (perform, request, reply) => {
        const { body } = await perform(request, reply, 'logIn', {
          body: request.body as { username: string; password: string },
        })
        return { token: body.tokens?.access_token, user: body.username }
      },
      'POST /password': (perform, request, reply) =>
        perform(request, reply, 'changePassword', { body: request.body as never }),
    },
    { features: [tokens()] },
  )
  await signUp(service)
  const headers = { 'accounts-delivery': 'tokens' }
  const response = await service.send(
    'POST',
    '/own/in',
    { username: 'alice', password: goodPassword },
    { headers },
  )
  expect(response.headers['set-cookie']).toBeUndefined()
  const { token } = response.json()
  const change = { old_password: goodPassword, new_password: otherPassword, confirm_password: otherPassword }
  const authorization = { headers: { authorization: `Bearer ${token}` } }
  expect((await service.send('POST', '/own/password', change, authorization)).json()).toEqual({
    status: 200,
    body: { tokens: expect.objectContaining({ access_token: expect.any(String) }) },
  })
})

test('what two operations give a client with tokens to keep is in one header', async () => {
  const email = 'bob@example.org'
  const account = { username: 'bob', email, password: goodPassword, confirm_password: goodPassword }
  const service = await appWith(
    {
      'POST /both': async (perform, request, reply) => {
        await perform(request, reply, 'signUp', { body: account })
        await perform(request, reply, 'requestLoginCode', { body: { email } })
        return {}
      },
    },
    { features: [tokens()], users: { variant: 'both' }, login: { emailCode: true } },
  )
  const [ours, own] = [tokenClient(service), tokenClient(service)]
  const kept = ({ state }: typeof own) =>
    (JSON.parse(Buffer.from(state, 'base64url').toString()) as [string][]).map(([name]) => name)
  await own.send('POST', '/own/both', {})
  await ours.send('POST', '/signup/', { ...account, username: 'carol', email: 'carol@example.org' })
  await ours.send('POST', '/login/code/', { email })
  expect(kept(own).length).toBeGreaterThan(1)
  expect(kept(own)).toEqual(kept(ours))
})

test('without refresh tokens the new one is in a header where the contract has no body', async () => {
  const service = await appWith(
    {
      'POST /password': async (perform, request, reply) => {
        await perform(request, reply, 'changePassword', { body: request.body as never })
        return reply.code(204).send()
      },
    },
    { features: [tokens({ refresh: false })] },
  )
  await signUp(service)
  const client = tokenClient(service)
  await client.send('POST', '/login/', { username: 'alice', password: goodPassword })
  const change = { old_password: goodPassword, new_password: otherPassword, confirm_password: otherPassword }
  const { statusCode, headers } = await client.send('POST', '/own/password', change)
  expect([statusCode, headers['access-control-expose-headers']]).toEqual([
    204,
    'Accounts-Access-Token, Accounts-State',
  ])
  const visit = (token: unknown) =>
    service.send('GET', '/me/', undefined, { headers: { authorization: `Bearer ${token}` } })
  expect((await visit(headers['accounts-access-token'])).statusCode).toBe(200)
  expect((await visit(client.tokens?.access_token)).statusCode).toBe(401)
})

test('a route that takes the password with the change goes on with the token that has confirmed it', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const service = await appWith(
    {
      'POST /address/:how': async (perform, request, reply) => {
        const { password, email } = request.body as { password: string; email: string }
        const { body } = await perform(request, reply, 'confirm', { body: { password } })
        if ((request.params as { how: string }).how === 'new')
          request.headers.authorization = `Bearer ${body?.tokens.access_token}`
        return perform(request, reply, 'changeEmail', { body: { email } })
      },
    },
    { features: [tokens({ refresh: false })] },
  )
  await signUp(service)
  const client = tokenClient(service)
  await client.send('POST', '/login/', { username: 'alice', password: goodPassword })
  vi.setSystemTime(Date.now() + 16 * 60_000)
  const authorization = { headers: { authorization: `Bearer ${client.tokens?.access_token}` } }
  const change = (how: string, password: string) =>
    service.send('POST', `/own/address/${how}`, { password, email: 'new@example.org' }, authorization)
  expect((await change('new', 'not this one')).statusCode).toBe(400)
  expect((await change('old', goodPassword)).json()).toMatchObject({ code: 'ACCOUNTS_CONFIRMATION_REQUIRED' })
  const changed = await change('new', goodPassword)
  expect([changed.statusCode, typeof changed.headers['accounts-access-token']]).toEqual([200, 'string'])
  expect(changed.json()).toMatchObject({ status: 202 })
})

test('what is passed is copied, and held to our rules', async () => {
  const service = await appWith({
    'POST /in': (perform, request, reply) => {
      const body = request.body as { username: string; password: string }
      return perform(request, reply, 'logIn', { body }).then(() => body)
    },
    'POST /odd/:kind': (perform, request, reply) => {
      const circle: { username: string; password: string; self?: object } = {
        username: 'alice',
        password: goodPassword,
      }
      circle.self = circle
      const odd = {
        circle,
        nothing: undefined,
        text: 'x',
        poison: JSON.parse('{"username":"alice","password":"x","__proto__":{}}'),
      }
      return perform(request, reply, 'logIn', { body: odd[(request.params as { kind: 'circle' }).kind] })
    },
    'DELETE /session': (perform, request, reply) =>
      perform(request, reply, 'endSession', { params: request.body as never }),
    'POST /reset': (perform, request, reply) =>
      perform(request, reply, 'resetPassword', {
        params: request.body as never,
        body: { new_password: otherPassword, confirm_password: otherPassword },
      }),
  })
  await signUp(service)
  const cookie = await logIn(service)
  const fieldsOf = async (url: string, body: object) => {
    const response = await service.app.inject({ method: 'POST', url, payload: body, headers: { cookie } })
    return [response.statusCode, response.json().code]
  }
  const credentials = { username: 'alice', password: goodPassword, remember: 'on' }
  expect((await service.send('POST', '/own/in', credentials)).json()).toEqual(credentials)
  expect(await fieldsOf('/own/in', { ...credentials, more: 1 })).toEqual([400, 'ACCOUNTS_INVALID_INPUT'])
  expect(await fieldsOf('/own/in', { ...credentials, password: 'x'.repeat(17_000) })).toEqual([
    413,
    'FST_ERR_CTP_BODY_TOO_LARGE',
  ])
  for (const kind of ['circle', 'nothing', 'text', 'poison'])
    expect(await fieldsOf(`/own/odd/${kind}`, {})).toEqual([400, 'ACCOUNTS_INVALID_INPUT'])
  for (const params of [
    {},
    { id: '' },
    { id: 5 },
    { id: 'x'.repeat(101) },
    { id: 'a\0' },
    { id: '\ud800' },
    { id: { toString: 1 } },
  ]) {
    const response = await service.app.inject({
      method: 'DELETE',
      url: '/own/session',
      payload: params,
      headers: { cookie },
    })
    expect([response.statusCode, response.json().code]).toEqual([404, 'ACCOUNTS_NOT_FOUND'])
  }
  expect(await fieldsOf('/own/reset', { uid64: 'MQ' })).toEqual([400, 'ACCOUNTS_INVALID_LINK'])
})

/** A feature with a bug, and one operation that a rule of the app refuses. */
const faulty: Feature = {
  name: 'faulty',
  routes: () => ({
    auth: [
      route({
        name: 'fault',
        action: 'me',
        method: 'POST',
        path: '/fault/',
        operation: { id: 'fault', summary: 'Fail', host: 'page' },
        access: 'anyone',
        budget: null,
        schema: { response: {} },
        handle() {
          throw Object.assign(new TypeError('not for others'), { code: 'E_INTERNAL' })
        },
      }),
    ],
  }),
}

test.each(['plugin', 'host'] as const)(
  'an error of ours is thrown as our route sends it, with errorResponses: %s',
  async (errorResponses) => {
    const caught: unknown[] = []
    const service = await appWith(
      {
        'POST /fault': (perform, request, reply) => (perform as Perform)(request, reply, 'fault'),
        'POST /up': (perform, request, reply) =>
          perform(request, reply, 'signUp', { body: request.body as never }),
      },
      {
        errorResponses,
        features: [faulty],
        users: { variant: 'both' },
        before: {
          signUp: () => {
            throw new RuleError('MYAPP_CLOSED', { statusCode: 409, message: { en: 'Closed.', de: 'Zu.' } })
          },
        },
      },
    )
    const account = { username: 'bob', password: goodPassword, confirm_password: goodPassword }
    const german = { headers: { 'accept-language': 'de' } }
    for (const [own, ours, body] of [
      ['/own/fault', '/fault/', {}],
      ['/own/up', '/signup/', account],
    ] as const) {
      const [one, other] = [
        await service.send('POST', own, body, german),
        await service.send('POST', ours, body, german),
      ]
      expect(one.statusCode).toBe(other.statusCode)
      caught.push(one.json())
      expect(one.body).not.toContain('not for others')
    }
    expect(caught).toMatchObject([
      { statusCode: 500, message: expect.stringContaining('ist schiefgegangen') },
      { statusCode: 409, code: 'MYAPP_CLOSED', message: 'Zu.' },
    ])
  },
)

test('once the app closes, an operation is for another process', async () => {
  let goOn = () => {}
  const closing = new Promise<void>((resolve) => {
    goOn = resolve
  })
  const service = await appWith(
    {
      async 'POST /in'(perform, request, reply) {
        void request.server.close()
        await closing
        return ownLogin(perform, request, reply)
      },
    },
    {},
    // The plugin's own hook is the next one.
    (app) => app.addHook('preClose', async () => void setImmediate(goOn)),
  )
  await signUp(service)
  const response = await service.send('POST', '/own/in', mine)
  expect([response.json().code, response.headers['retry-after']]).toEqual(['ACCOUNTS_UNAVAILABLE', '5'])
})
