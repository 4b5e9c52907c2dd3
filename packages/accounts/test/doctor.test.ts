import { cheapHasher, outbox, secret } from '@fastify-accounts/test-support/app'
import Fastify, { type FastifyError, type FastifyInstance, type FastifyServerOptions } from 'fastify'
import { afterEach, describe, expect, it, vi } from 'vitest'
import accounts, {
  type AccountsOptions,
  createMemorySessionStore,
  createMemoryUserStore,
  frameworkErrors,
  maskedRequest,
} from '../src/index.js'

const complete = {
  secret,
  baseUrl: 'https://example.org',
  userStore: createMemoryUserStore(),
  sessionStore: createMemorySessionStore(),
  mailer: outbox(),
}
const server = { trustProxy: '127.0.0.1', requestTimeout: 120_000, frameworkErrors }

/** The warning codes at start, and during one request. */
async function doubts(
  options: Partial<AccountsOptions> = {},
  serverOptions: FastifyServerOptions = {},
  headers: Record<string, string> = {},
  base: FastifyServerOptions = server,
  before: (app: FastifyInstance) => void = () => {},
  serializers?: { req: typeof maskedRequest },
): Promise<string[]> {
  const lines: string[] = []
  const stream = { write: (line: string) => void lines.push(line) }
  const app = Fastify({
    logger: { level: 'warn', stream, ...(serializers && { serializers }) },
    ...base,
    ...serverOptions,
  })
  before(app)
  await app.register(accounts, { ...complete, passwordHasher: cheapHasher(), ...options })
  await app.listen({ port: 0, host: '127.0.0.1' })
  for (let n = 0; n < 2; n += 1) await app.inject({ url: '/me/', headers })
  await app.close()
  return lines
    .map((line) => JSON.parse(line))
    .filter(({ level }) => level === 40)
    .map(({ code, msg }) => {
      expect(msg).toContain(`(${code})`)
      return code
    })
}

afterEach(() => vi.unstubAllEnvs())

describe('the doctor', () => {
  it('accepts a good setup', async () => {
    vi.stubEnv('NODE_ENV', 'production')
    expect(await doubts({}, {}, { 'x-forwarded-for': '192.0.2.1' })).toEqual([])
  })

  it.each([
    ['ACCOUNTS_WARN_TRUST_PROXY', {}, { trustProxy: true }],
    // Fastify's types no longer have it, but many programs do.
    ['ACCOUNTS_WARN_PROXY_NUMBER', {}, { trustProxy: 1 as unknown as true }],
    ['ACCOUNTS_WARN_NO_PROXY', {}, { trustProxy: false }],
    ['ACCOUNTS_WARN_THROTTLE_OFF', { throttle: false }, {}],
    ['ACCOUNTS_WARN_HTTP', { baseUrl: 'http://example.org' }, {}],
    // Probably a forgotten setting.
    ['ACCOUNTS_WARN_HTTP', { baseUrl: 'http://localhost:3000' }, {}],
    ['ACCOUNTS_WARN_REQUEST_TIMEOUT', {}, { requestTimeout: 0 }],
    ['ACCOUNTS_WARN_HTTP2_STREAMS', {}, { http2: true } as object],
    ['ACCOUNTS_WARN_ENUMERATION', { users: true }, {}],
  ] as const)('warns %s once for %o and %o', async (code, options, serverOptions) => {
    vi.stubEnv('NODE_ENV', 'production')
    expect(await doubts(options, serverOptions)).toEqual([code])
  })

  it('warns ACCOUNTS_WARN_ERROR_HANDLER once if a handler of the host turns refusals into failures', async () => {
    const warned = (errorResponses: 'host' | 'plugin', status: (error: FastifyError) => number) =>
      doubts({ errorResponses }, {}, {}, server, (app) =>
        app.setErrorHandler((error: FastifyError, _request, reply) =>
          reply.code(status(error)).send({ failed: true }),
        ),
      )
    expect(await warned('host', () => 500)).toEqual(['ACCOUNTS_WARN_ERROR_HANDLER'])
    expect(await warned('host', ({ statusCode = 500 }) => statusCode)).toEqual([])
    expect(await warned('plugin', () => 500)).toEqual([])
  })

  it('warns ACCOUNTS_WARN_LOGGED_LINKS if preflights are the host’s own and its logger shows their paths', async () => {
    const trusted = { trustedOrigins: ['https://app.example.org'] }
    expect(await doubts(trusted)).toEqual(['ACCOUNTS_WARN_LOGGED_LINKS'])
    expect(await doubts(trusted, {}, {}, server, () => {}, { req: maskedRequest })).toEqual([])
    expect(await doubts()).toEqual([])
  })

  it('accepts HTTP/2 with a limit on streams', async () => {
    vi.stubEnv('NODE_ENV', 'production')
    const settings = { maxConcurrentStreams: 100 }
    expect(await doubts({}, { http2: true, http: { settings } } as object)).toEqual([])
  })

  it('warns ACCOUNTS_WARN_FRAMEWORK_ERRORS if Fastify responds to what its router rejects', async () => {
    vi.stubEnv('NODE_ENV', 'production')
    const { trustProxy, requestTimeout } = server
    expect(await doubts({}, {}, {}, { trustProxy, requestTimeout })).toEqual([
      'ACCOUNTS_WARN_FRAMEWORK_ERRORS',
    ])
  })

  it('asks for a decision on email confirmation if sign-up is open, also in development', async () => {
    for (const [code, options] of [
      [['ACCOUNTS_WARN_ENUMERATION'], { users: true }],
      [['ACCOUNTS_WARN_ENUMERATION'], { users: { variant: 'signup' } }],
      [[], { users: true, requireEmailConfirmation: true }],
      [[], { users: true, requireEmailConfirmation: false }],
      [[], {}],
    ] as const) {
      expect([options, await doubts(options)]).toEqual([options, code])
    }
  })

  it('gives production warnings only in production', async () => {
    expect(await doubts({ baseUrl: 'http://example.org', throttle: false }, { requestTimeout: 0 })).toEqual(
      [],
    )
  })
})
