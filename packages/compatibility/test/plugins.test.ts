import { randomBytes } from 'node:crypto'
import fastifyCompress from '@fastify/compress'
import fastifyCookie from '@fastify/cookie'
import fastifyCors from '@fastify/cors'
import fastifyHelmet from '@fastify/helmet'
import fastifySession from '@fastify/session'
import fastifyUnderPressure from '@fastify/under-pressure'
import Fastify, { type FastifyInstance } from 'fastify'
import accounts, {
  type AccountsOptions,
  createScryptHasher,
  invitations,
  type Mail,
  secondFactor,
  tokens,
} from 'fastify-accounts'
import { serializerCompiler, validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod'
import { expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'

// Both declare `request.user`, so their types are kept out of this program.
const { default: fastifyJwt } = await import('@fastify/jwt' as string)
const { Authenticator } = await import('@fastify/passport' as string)

const password = 'seven green lanterns'
const credentials = { username: 'ada', password }

/** An app with the plugin, and what a host registers before it. */
async function appWith(
  before: (app: FastifyInstance) => unknown,
  options: Partial<AccountsOptions> = {},
): Promise<FastifyInstance> {
  const app = Fastify()
  onTestFinished(() => app.close())
  await before(app)
  await app.register(accounts, {
    secret: randomBytes(32).toString('base64url'),
    baseUrl: 'http://localhost:3000',
    users: true,
    passwordHasher: createScryptHasher({ logN: 4, r: 1, p: 1 }),
    mailer: { send: async () => {} },
    ...options,
  })
  return app
}

/** Signs up and logs in; returns the cookie. */
async function logIn(app: FastifyInstance, cookieName = 'session'): Promise<string> {
  const created = await app.inject({
    method: 'POST',
    url: '/signup/',
    payload: { ...credentials, confirm_password: password },
  })
  expect(created.statusCode, created.body).toBe(201)
  const login = await app.inject({ method: 'POST', url: '/login/', payload: credentials })
  expect(login.statusCode, login.body).toBe(200)
  const cookie = login.cookies.findLast(({ name }) => name === cookieName)
  return `${cookie?.name}=${encodeURIComponent(cookie?.value ?? '')}`
}

async function whoIs(app: FastifyInstance, cookie: string): Promise<string> {
  return (await app.inject({ url: '/me/', headers: { cookie } })).json().username
}

it('works with the compilers of fastify-type-provider-zod', async () => {
  const app = await appWith((host) => {
    host.setValidatorCompiler(validatorCompiler)
    host.setSerializerCompiler(serializerCompiler)
  })
  app.withTypeProvider<ZodTypeProvider>().post('/add', {
    schema: { body: z.object({ a: z.number() }), response: { 200: z.object({ sum: z.number() }) } },
    handler: async ({ body }) => ({ sum: body.a + 1 }),
  })
  expect(await whoIs(app, await logIn(app))).toBe('ada')
  expect((await app.inject({ method: 'POST', url: '/add', payload: { a: 1 } })).json()).toEqual({ sum: 2 })
  expect((await app.inject({ method: 'POST', url: '/login/', payload: {} })).json()).toMatchObject({
    code: 'ACCOUNTS_INVALID_INPUT',
    fields: [
      { field: 'username', code: 'required' },
      { field: 'password', code: 'required' },
    ],
  })
})

it('keeps the stricter headers of its pages with @fastify/helmet', async () => {
  const app = await appWith((host) => host.register(fastifyHelmet))
  expect(await whoIs(app, await logIn(app))).toBe('ada')
  const page = await app.inject({ url: '/reset/d/', headers: { accept: 'text/html' } })
  expect(page.headers['content-security-policy']).toContain("default-src 'none'")
  expect(page.headers['referrer-policy']).toBe('strict-origin')
  expect(page.headers['strict-transport-security']).toContain('max-age')
})

it('allows a trusted origin through @fastify/cors, and no other', async () => {
  const origin = 'https://app.example.org'
  const app = await appWith((host) => host.register(fastifyCors, { origin: [origin], credentials: true }), {
    trustedOrigins: [origin],
  })
  const preflight = await app.inject({
    method: 'OPTIONS',
    url: '/login/',
    headers: { origin, 'access-control-request-method': 'POST' },
  })
  expect([preflight.statusCode, preflight.headers['access-control-allow-origin']]).toEqual([204, origin])
  await logIn(app)
  const from = (sender: string) =>
    app.inject({
      method: 'POST',
      url: '/login/',
      payload: credentials,
      headers: { origin: sender, 'sec-fetch-site': 'cross-site' },
    })
  const response = await from(origin)
  expect([response.statusCode, response.headers['access-control-allow-origin']]).toEqual([200, origin])
  expect(response.headers['access-control-allow-credentials']).toBe('true')
  const stranger = await from('https://evil.example')
  expect([stranger.json().code, stranger.headers['access-control-allow-origin']]).toEqual([
    'ACCOUNTS_CROSS_SITE',
    undefined,
  ])
})

it('delivers tokens through @fastify/cors without credentials, and reads them beside JWTs of @fastify/jwt', async () => {
  const origin = 'https://app.example.org'
  const app = await appWith(
    async (host) => {
      await host.register(fastifyCors, { origin: [origin], exposedHeaders: ['Retry-After'] })
      await host.register(fastifyJwt, { secret: 'x'.repeat(40), decoratorName: 'claims' })
      host.get('/jwt', async (request) => {
        await request.getDecorator<() => Promise<void>>('jwtVerify')()
        return request.getDecorator('claims')
      })
    },
    { trustedOrigins: [origin], features: [tokens()] },
  )
  const wanted = 'authorization, accounts-delivery, accounts-state, content-type'
  const preflight = await app.inject({
    method: 'OPTIONS',
    url: '/login/',
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': wanted,
    },
  })
  expect(preflight.headers['access-control-allow-headers']).toBe(wanted)
  await logIn(app)
  const headers = { origin, 'sec-fetch-site': 'cross-site', 'accounts-delivery': 'tokens' }
  const login = await app.inject({ method: 'POST', url: '/login/', payload: credentials, headers })
  expect(login.headers).toMatchObject({
    'access-control-allow-origin': origin,
    'access-control-expose-headers': 'Retry-After, Accounts-State',
    'accounts-state': expect.any(String),
  })
  expect(login.headers['access-control-allow-credentials']).toBeUndefined()
  const { access_token: token } = login.json().tokens
  const read = (url: string, bearer: string) =>
    app.inject({ url, headers: { ...headers, authorization: `Bearer ${bearer}` } })
  expect((await read('/me/', token)).json()).toMatchObject({ username: 'ada' })
  const jwt = app.getDecorator<{ sign(claims: object): string }>('jwt').sign({ sub: 'machine' })
  expect((await read('/jwt', jwt)).json()).toMatchObject({ sub: 'machine' })
  expect([(await read('/me/', jwt)).statusCode, (await read('/jwt', token)).statusCode]).toEqual([401, 401])
})

it('works with @fastify/compress', async () => {
  const app = await appWith((host) => host.register(fastifyCompress, { global: true, threshold: 0 }))
  expect(await whoIs(app, await logIn(app))).toBe('ada')
  const base = await app.listen({ port: 0, host: '127.0.0.1' })
  for (const [path, accept] of [
    ['/api-root/', 'application/json'],
    ['/reset/d/', 'text/html'],
  ] as const) {
    const response = await fetch(base + path, { headers: { accept, 'accept-encoding': 'gzip' } })
    expect([response.status, response.headers.get('content-encoding')]).toEqual([200, 'gzip'])
    expect((await response.text()).length).toBeGreaterThan(50)
  }
})

it('works with @fastify/under-pressure, whose rejections keep their code', async () => {
  let isHealthy = true
  const pressure = { healthCheck: async () => isHealthy, healthCheckInterval: 5 }
  const app = await appWith((host) => host.register(fastifyUnderPressure, pressure))
  const cookie = await logIn(app)
  expect(await whoIs(app, cookie)).toBe('ada')
  isHealthy = false
  await expect
    .poll(async () => (await app.inject({ url: '/me/', headers: { cookie } })).json())
    .toMatchObject({ statusCode: 503, code: 'FST_UNDER_PRESSURE', error: 'Service Unavailable' })
  const refused = await app.inject({ method: 'POST', url: '/login/', payload: credentials })
  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '10'])
})

it('coexists with @fastify/jwt, which also wants request.user, under another name', async () => {
  const options = { decorateAs: { request: 'account' } }
  const app = await appWith((host) => host.register(fastifyJwt, { secret: 'x'.repeat(40) }), options)
  app.get('/both', { onRequest: app.accounts.loadUser }, async (request) => {
    await request.getDecorator<() => Promise<void>>('jwtVerify')()
    return { jwt: request.user, account: request.getDecorator<{ username: string }>('account').username }
  })
  const cookie = await logIn(app)
  const jwt = app.getDecorator<{ sign(claims: object): string }>('jwt')
  const authorization = `Bearer ${jwt.sign({ sub: 'machine' })}`
  const response = await app.inject({ url: '/both', headers: { cookie, authorization } })
  expect(response.json()).toMatchObject({ jwt: { sub: 'machine' }, account: 'ada' })
  await expect(appWith((host) => host.register(fastifyJwt, { secret: 'x'.repeat(40) }))).rejects.toThrow(
    /^fastify-accounts: request\.user already exists.*decorateAs\.request/,
  )
})

it("coexists with @fastify/passport, on the host's session", async () => {
  const passport = new Authenticator()
  const app = await appWith(
    async (host) => {
      await host.register(fastifyCookie)
      await host.register(fastifySession, {
        secret: 'x'.repeat(40),
        cookie: { secure: false },
        saveUninitialized: false,
      })
      await host.register(passport.initialize())
      await host.register(passport.secureSession())
    },
    { decorateAs: { request: 'account' } },
  )
  expect(await whoIs(app, await logIn(app, 'sessionId'))).toBe('ada')
})

it('logs no path of an emailed link, also at level trace, when @fastify/cors answers its preflight', async () => {
  const origin = 'https://app.example.org'
  const lines: string[] = []
  const mails: Mail[] = []
  const paths = new Set<string>()
  const app = Fastify({ logger: { level: 'trace', stream: { write: (line) => void lines.push(line) } } })
  onTestFinished(() => app.close())
  app.addHook('onRoute', ({ method, url }) => {
    if (method === 'POST' && url.endsWith('/:token/')) paths.add(url)
  })
  await app.register(fastifyCors, { origin: [origin], credentials: true })
  await app.register(accounts, {
    secret: randomBytes(32).toString('base64url'),
    baseUrl: 'http://localhost:3000',
    trustedOrigins: [origin],
    users: { variant: 'both' },
    requireEmailConfirmation: true,
    login: { emailCode: true },
    features: [invitations(), secondFactor()],
    passwordHasher: createScryptHasher({ logN: 4, r: 1, p: 1 }),
    mailer: { send: async (mail) => void mails.push(mail) },
  })
  await app.accounts.createUser({ ...credentials, email: 'ada@example.org', isVerified: true })
  await app.inject({ method: 'POST', url: '/forgot/', payload: { email: 'ada@example.org' } })
  await app.accounts.invite({ email: 'guest@example.org' })
  await expect.poll(() => mails.map(({ kind }) => kind).sort()).toEqual(['invitation', 'reset-password'])
  const links = mails.map(({ text }) => new URL(/http\S+/.exec(text)?.[0] ?? '').pathname)
  const token = 'a-token-that-nobody-has-signed-but-looks-like-one-of-the-links'
  const forged = [...paths].map((path) => path.replace(':uid64', 'dQ').replace(':token', token))
  expect(forged.length).toBeGreaterThan(7)
  const headers = { origin, 'access-control-request-method': 'POST' }
  for (const url of [...links, ...forged]) {
    const preflight = await app.inject({ method: 'OPTIONS', url, headers })
    expect([url, preflight.statusCode, preflight.headers['access-control-allow-origin']]).toEqual([
      url,
      204,
      origin,
    ])
    // From an origin that isn't listed, and no preflight at all.
    await app.inject({ method: 'OPTIONS', url, headers: { ...headers, origin: 'https://other.example' } })
    await app.inject({ method: 'OPTIONS', url })
    expect((await app.inject({ url, headers: { origin } })).headers['access-control-allow-origin']).toBe(
      origin,
    )
  }
  for (const url of [...links, ...forged]) {
    const secret = url.split('/').at(-2) ?? url
    expect(lines.filter((line) => line.includes(secret))).toEqual([])
  }
  expect(lines.filter((line) => line.includes('ACCOUNTS_WARN_LOGGED_LINKS'))).toEqual([])
})
