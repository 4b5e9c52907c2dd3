import { createHmac } from 'node:crypto'
import {
  baseUrl,
  cheapHasher,
  goodPassword,
  linkPath,
  logIn,
  outbox,
  secret,
  signUp,
  whoIs,
} from '@fastify-accounts/test-support/app'
import { brokenUrls } from '@fastify-accounts/test-support/broken-urls'
import Fastify, { type FastifyServerOptions } from 'fastify'
import accounts, {
  type AccountsOptions,
  createMemorySessionStore,
  createMemoryUserStore,
  pwnedPasswords,
} from 'fastify-accounts'
import { afterEach, expect, vi } from 'vitest'
import { cases } from './catalogue.js'
import { logbook } from './logbook.js'

const atStart = { on: 'memory', because: 'No store is called at startup.' } as const
const production = {
  userStore: createMemoryUserStore(),
  sessionStore: createMemorySessionStore(),
  mailer: outbox(),
}

/** `started`, or the message of the error that stops the app. */
async function startWith(options: object): Promise<string> {
  const app = Fastify()
  try {
    const shared = { secret, baseUrl, mailer: outbox(), passwordHasher: cheapHasher() }
    await app.register(accounts, { ...shared, ...options } as AccountsOptions)
    await app.ready()
    return 'started'
  } catch (error) {
    return (error as Error).message
  } finally {
    await app.close()
  }
}

/** The same for options that functions make, which may throw themselves. */
async function startWithMade(options: () => object): Promise<string> {
  try {
    return await startWith(options())
  } catch (error) {
    return (error as Error).message
  }
}

/** Matches one line that names the option. */
const stopped = (option: string) =>
  new RegExp(`^fastify-accounts: the option ${option.replaceAll('.', '\\.')} [^\\n]+$`)

afterEach(() => vi.unstubAllEnvs())

cases('Configuration', ({ rule }) => {
  rule(
    'CFG-01',
    {
      tried:
        'secrets that are missing, short, empty, guessable, duplicated, or of another type, alone and in a list',
      expected: 'startup fails with one line that names the option and doesn’t reveal the secret',
      ...atStart,
    },
    async () => {
      const weak = [
        undefined,
        null,
        '',
        'short',
        'x'.repeat(31),
        'changeme',
        'changeme'.repeat(4),
        'secret'.repeat(8),
        '0'.repeat(64),
        '\0'.repeat(64),
        ' '.repeat(64),
        'abab'.repeat(16),
        7,
        {},
        Buffer.alloc(32),
      ]
      for (const each of weak) {
        for (const given of [each, [each], [secret, each], [each, secret]]) {
          const said = await startWith({ secret: given })
          expect([given, said]).toEqual([given, expect.stringMatching(stopped('secret'))])
          if (typeof each === 'string' && each.length > 8) expect(said).not.toContain(each)
          expect(said).not.toContain(secret)
        }
      }
      for (const given of [[], [secret, secret]]) {
        expect(await startWith({ secret: given })).toMatch(stopped('secret'))
      }
      for (const given of [secret, [secret], [`${secret}-new`, secret]]) {
        expect(await startWith({ secret: given })).toBe('started')
      }
    },
  )

  rule(
    'CFG-02',
    {
      tried: 'https terminated at a proxy while `trustProxy` is off: a login over the plain socket behind it',
      expected:
        'the response sets the Secure cookie and the cookie logs in: `Secure` comes from `baseUrl`, not from the socket',
    },
    async ({ start, sessionRows }) => {
      const service = await start({ baseUrl: 'https://example.org' })
      await signUp(service)
      const body = JSON.stringify({ username: 'alice', password: goodPassword })
      for (const proxy of ['', 'X-Forwarded-Proto: https\r\n', 'X-Forwarded-Proto: http\r\n']) {
        const response = await service.raw(
          `POST /login/ HTTP/1.1\r\nHost: 10.0.0.1:3000\r\n${proxy}Origin: https://example.org\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
        )
        expect(response.statusCode).toBe(200)
        const [session = ''] = response.headers['set-cookie']?.split('\n') ?? []
        expect(session).toMatch(/^__Host-session=[^;]+;.*; Secure/)
        expect(await whoIs(service, session.split(';')[0] ?? '')).toBe('alice')
      }
      expect(await sessionRows()).toBe(3)
    },
  )

  rule(
    'CFG-02',
    {
      tried:
        'the same setup, as seen in the log: at startup, and at the first request that came through a proxy or an adapter that injects it',
      expected:
        'one warning each, with a code, that all clients behind the proxy share one limit; none if the proxy is trusted, or the adapter passes on the address',
      ...atStart,
    },
    async ({ start }) => {
      const codesOf = async (
        server: FastifyServerOptions,
        headers: Record<string, string>,
        url: string,
        remoteAddress: string | null = null,
      ) => {
        const log = logbook('warn')
        const { app } = await start(
          { baseUrl: url, requireEmailConfirmation: false },
          { server: { ...log.server, ...server } },
        )
        // An adapter of a serverless platform injects each request, and passes on the client's address.
        if (remoteAddress === null) await app.listen({ port: 0, host: '127.0.0.1' })
        const from = remoteAddress === null ? {} : { remoteAddress }
        for (let round = 0; round < 2; round += 1) await app.inject({ url: '/me/', headers, ...from })
        return log.codes()
      }
      const through = { 'x-forwarded-for': '192.0.2.1' }
      const https = 'https://example.org'
      expect(await codesOf({}, {}, https)).toEqual(['ACCOUNTS_WARN_NO_PROXY'])
      expect(await codesOf({}, through, https)).toEqual(['ACCOUNTS_WARN_NO_PROXY', 'ACCOUNTS_WARN_FORWARDED'])
      expect(await codesOf({}, through, baseUrl)).toEqual(['ACCOUNTS_WARN_FORWARDED'])
      expect(await codesOf({}, {}, baseUrl)).toEqual([])
      expect(await codesOf({ trustProxy: '127.0.0.1' }, through, https)).toEqual([])
      const twice = { 'x-forwarded-for': '203.0.113.9, 192.0.2.1' }
      for (const headers of [{}, through, twice])
        expect(await codesOf({}, headers, https, '192.0.2.1')).toEqual([])
      expect(await codesOf({}, through, https, '127.0.0.1')).toEqual(['ACCOUNTS_WARN_FORWARDED'])
      expect(await codesOf({ trustProxy: true }, through, https, '192.0.2.1')).toEqual([
        'ACCOUNTS_WARN_TRUST_PROXY',
      ])
    },
  )

  rule(
    'CFG-03',
    {
      tried: 'a missing or invalid `baseUrl`; in production no mailer, no user store, no session store',
      expected:
        'startup fails with one line that names the option; passing an in-memory store is the host’s choice',
      ...atStart,
    },
    async () => {
      for (const given of [
        undefined,
        null,
        '',
        'example.org',
        '//example.org',
        'ftp://example.org',
        'javascript:alert(1)',
        'https://example.org/?x=1',
        'https://example.org/#x',
        'https://me:pw@example.org',
        7,
        ['https://example.org'],
      ]) {
        expect([given, await startWith({ baseUrl: given })]).toEqual([
          given,
          expect.stringMatching(stopped('baseUrl')),
        ])
      }
      for (const name of ['userStore', 'sessionStore', 'mailer'] as const) {
        const options = { ...production, [name]: undefined }
        vi.stubEnv('NODE_ENV', 'test')
        expect(await startWith(options)).toBe('started')
        vi.stubEnv('NODE_ENV', 'production')
        expect(await startWith(options)).toMatch(stopped(name))
      }
      expect(await startWith(production)).toBe('started')
    },
  )

  rule(
    'CFG-04',
    {
      tried:
        'NaN, infinity, zero, negative numbers, fractions, strings, arrays and objects for every numeric option',
      expected: 'startup fails with one line that names the option',
      ...atStart,
    },
    async () => {
      const numbers = [
        'password.minLength',
        'password.maxLength',
        'session.idleTimeout',
        'session.absoluteTimeout',
        'links.resetLifetime',
        'links.verifyLifetime',
        'adapterTimeout',
        ...[
          'loginAccount',
          'login',
          'forgotMails',
          'forgot',
          'verifyMails',
          'addressMails',
          'priorityHashes',
          'resend',
          'create',
          'changePassword',
          'ownPassword',
          'reset',
          'verify',
        ].flatMap((name) => [`throttle.limits.${name}.max`, `throttle.limits.${name}.window`]),
      ]
      const limit = { max: 5, window: 60_000 }
      for (const option of numbers) {
        const [first = '', ...path] = option.split('.')
        for (const value of [
          Number.NaN,
          Number.POSITIVE_INFINITY,
          0,
          -1,
          0.5,
          1500.5,
          '5',
          'abc',
          '1h',
          '',
          [5],
          {},
          true,
        ]) {
          let given: unknown = value
          for (const name of path.toReversed()) given = { ...(name in limit && limit), [name]: given }
          const said = await startWith({ [first]: given })
          expect([option, value, said]).toEqual([option, value, expect.stringMatching(stopped(option))])
        }
      }
      for (const [options, option] of [
        [{ password: { minLength: 7 } }, 'password.minLength'],
        [{ password: { maxLength: 63 } }, 'password.maxLength'],
        [{ links: { verifyLifetime: 1500 } }, 'links.verifyLifetime'],
        [{ session: { idleTimeout: 3_600_000, absoluteTimeout: 60_000 } }, 'session.idleTimeout'],
        [{ userStore: { ...createMemoryUserStore(), outbox: {} } }, 'userStore.outbox'],
        [{ sessionStore: { ...createMemorySessionStore(), withUsers: {} } }, 'sessionStore.withUsers'],
        [{ throttle: { limits: { logins: limit } } }, 'throttle.limits.logins'],
        [{ throttle: { limits: { login: { max: 5 } } } }, 'throttle.limits.login.window'],
        [{ throttle: { limits: { login: 5 } } }, 'throttle.limits.login'],
        [{ throttle: true }, 'throttle'],
      ] as const) {
        expect([options, await startWith(options)]).toEqual([options, expect.stringMatching(stopped(option))])
      }
    },
  )

  rule(
    'CFG-07',
    {
      tried:
        'pages for emailed links on a foreign site: by name, as a subdomain, by the scheme or port of a trusted site, by two slashes, a backslash, credentials or a placeholder in the host; http in production',
      expected:
        'startup fails with one line that names the option: anyone who serves the page gets the tokens',
      ...atStart,
    },
    async () => {
      const link = '{uid64}/{token}'
      const trusted = {
        trustedOrigins: ['https://app.example.org'],
        brand: { url: 'https://www.example.org' },
      }
      const startsWith = (reset: string) =>
        startWith({ ...production, ...trusted, links: { pages: { reset } } })
      for (const origin of [
        'https://evil.example',
        'https://evil.app.example.org',
        'https://app.example.org.evil.example',
        'https://example.org',
        'http://app.example.org',
        'https://app.example.org:8443',
        'https://app.example.org@evil.example',
        'https://app.example.org:x@evil.example',
        'https://{token}.evil.example',
        'https://evil.example\\@app.example.org',
        '//evil.example',
        '/\\evil.example',
        '\\\\evil.example',
        'javascript:',
        'ftp://app.example.org',
      ]) {
        const said = await startsWith(`${origin}/${link}`)
        expect([origin, said]).toEqual([origin, expect.stringMatching(stopped('links.pages.reset'))])
      }
      for (const origin of ['https://app.example.org', 'https://www.example.org', '/app', baseUrl]) {
        expect([origin, await startsWith(`${origin}/${link}`)]).toEqual([origin, 'started'])
      }
      vi.stubEnv('NODE_ENV', 'production')
      const plain = { brand: { url: 'http://www.example.org' } }
      const page = `http://www.example.org/${link}`
      expect(await startWith({ ...production, ...plain, links: { pages: { reset: page } } })).toMatch(
        stopped('links.pages.reset'),
      )
      expect(await startsWith(`https://app.example.org/${link}`)).toBe('started')
    },
  )

  rule(
    'CFG-11',
    {
      tried:
        'URLs that no browser opens, or that never equal an origin, in every option that takes one: wildcards, hosts with spaces, underscores, empty labels, dots or dashes at an end, ports out of range, credentials, other schemes',
      expected:
        'startup fails with one line that names the option and the value, without its credentials; valid hosts start',
      ...atStart,
    },
    async () => {
      /** The options with this URL, and the name in the error. */
      const places: [name: string, options: (url: string) => object][] = [
        ['baseUrl', (baseUrl) => ({ baseUrl })],
        ['brand.url', (url) => ({ brand: { url } })],
        ['brand.logo', (logo) => ({ brand: { logo } })],
        ['changePasswordUrl', (changePasswordUrl) => ({ changePasswordUrl })],
        ['links.pages.reset', (url) => ({ links: { pages: { reset: `${url}/{uid64}/{token}` } } })],
        ['trustedOrigins', (url) => ({ trustedOrigins: [url] })],
        ['url', (url) => ({ password: { check: pwnedPasswords({ url }) } })],
      ]
      for (const [name, optionsWith] of places) {
        for (const url of brokenUrls) {
          const said = await startWithMade(() => optionsWith(url))
          expect([name, url, said]).toEqual([name, url, expect.stringMatching(/^[^\n]+$/)])
          expect([url, ` ${said}`]).toEqual([url, expect.stringContaining(` ${name} `)])
          expect([url, said]).toEqual([url, expect.stringMatching(/, got .*$/)])
          expect(said).not.toContain('lantern')
        }
      }
      const origins = ['https://example.org', 'http://localhost:3000', 'https://xn--bcher-kva.example:8443']
      for (const url of [...origins, 'http://127.0.0.1:5173', 'http://[::1]:3000', 'https://intranet']) {
        const options = { trustedOrigins: [url], brand: { url: `${url}/?a=1`, logo: `${url}/logo.png` } }
        expect([url, await startWith({ ...options, baseUrl: url })]).toEqual([url, 'started'])
      }
      expect(await startWith({ baseUrl: 'https://bücher.example/Konten' })).toBe('started')
    },
  )

  rule(
    'CFG-06',
    {
      tried:
        'one secret for everything: a cookie as a link, a link as a cookie, one link as another, a cursor as a device, and data that the host itself signed with it',
      expected: 'each works only for its own purpose: every purpose has its own key and format',
    },
    async ({ start }) => {
      const service = await start({ throttle: {} })
      const email = 'alice@example.org'
      await signUp(service, 'alice', { email })
      await signUp(service, 'bob')
      const response = await service.send('POST', '/login/', { username: 'alice', password: goodPassword })
      const [session = '', device = ''] = response.cookies.map(({ value }) => value)
      const headers = { cookie: `session=${encodeURIComponent(session)}` }
      for (const url of ['/forgot/', '/user/v/']) await service.send('POST', url, { email })
      const [, , uid64 = '', reset = ''] = linkPath(await service.mail('reset-password')).split('/')
      const verify =
        linkPath(await service.mail('verify-email'))
          .split('/')
          .at(-2) ?? ''
      const { next } = (await service.app.inject({ url: '/user/?limit=1', headers })).json()
      const cursor = new URL(next).searchParams.get('cursor') ?? ''
      const claim = session.slice(0, session.lastIndexOf('.'))
      const signature = session.slice(claim.length + 1)
      const made = { session, claim, signature, device, reset, verify, cursor, 'the secret itself': secret }
      for (const [name, value] of Object.entries(made)) {
        expect(value.length).toBeGreaterThan(20)
        const link = encodeURIComponent(value)
        // Fastify rejects longer parameters before the route runs.
        const refused = link.length > 100 ? 414 : 400
        if (name !== 'reset') {
          const { statusCode } = await service.send('GET', `/reset/${uid64}/${link}/`)
          expect([name, statusCode]).toEqual([name, refused])
        }
        if (name !== 'verify') {
          const { statusCode } = await service.send('POST', `/user/v/${uid64}/${link}/`)
          expect([name, statusCode]).toEqual([name, refused])
        }
        if (name !== 'session') {
          for (const cookie of [`session=${link}`, `session=${claim}.${link}`]) {
            if (name !== 'signature') expect([name, await whoIs(service, cookie)]).toEqual([name, null])
          }
        }
        if (name !== 'cursor') {
          const { statusCode } = await service.app.inject({ url: `/user/?cursor=${link}`, headers })
          expect([name, statusCode]).toEqual([name, 400])
        }
      }
      // A host that signs data chosen by its visitors, with the secret itself.
      const signed = createHmac('sha256', secret).update(claim).digest('base64').replace(/=+$/, '')
      expect(await whoIs(service, `session=${encodeURIComponent(`${claim}.${signed}`)}`)).toBeNull()
      expect(await whoIs(service, headers.cookie)).toBe('alice')
      for (let round = 0; round < 5; round += 1) {
        await service.send('POST', '/login/', { username: 'alice', password: 'not the password' })
      }
      for (const [name, value] of Object.entries(made)) {
        const brought = { headers: { cookie: `session-device=${encodeURIComponent(value)}` } }
        const again = { username: 'alice', password: goodPassword }
        const { statusCode } = await service.send('POST', '/login/', again, brought)
        expect([name, statusCode]).toEqual([name, name === 'device' ? 200 : 429])
      }
      expect((await service.send('GET', `/reset/${uid64}/${reset}/`)).statusCode).toBe(200)
      await service.app.accounts.endUserSessions((await service.users.findByUsername('alice'))?.id ?? '')
      expect(await logIn(service, 'bob')).toContain('session=')
    },
  )

  rule(
    'CFG-08',
    {
      tried:
        'a feature with the route name that emailed links lead to, of each kind of link; with an operation or a cookie of the plugin',
      expected: 'startup fails with one line that names the feature and the name; no token can go elsewhere',
      ...atStart,
    },
    async () => {
      const route = {
        ...{ name: 'gift', action: 'gift', method: 'GET', path: '/gift/:uid64/:token/', access: 'anyone' },
        ...{ budget: null, schema: {}, handler: async () => ({}) },
        operation: { id: 'gift', summary: 'Gift', errors: [] },
      }
      const start = (more: object, own: object = {}) =>
        startWith({
          users: true,
          passwordHasher: cheapHasher(),
          login: { emailCode: true },
          features: [{ name: 'thief', routes: () => ({ auth: [{ ...route, ...more }] }), ...own }],
        })
      expect(await start({})).toBe('started')
      const mailed = [
        ...['reset', 'email-confirm', 'email-undo', 'email-release', 'not-me', 'login-code-link'],
        ...['user-verify', 'signup-verify', 'login', 'api-root'],
      ]
      const taken: [what: string, more: object, own?: object][] = [
        ...mailed.map((name): [string, object] => [`route ${name}`, { name }]),
        ...['logIn', 'resetPassword'].map((id): [string, object] => [
          `operation ${id}`,
          { operation: { ...route.operation, id } },
        ]),
        ...['pending', 'remembered', 'device', 'code'].map((name): [string, object, object] => [
          `cookie ${name}`,
          {},
          { cookies: [name] },
        ]),
      ]
      for (const [what, more, own] of taken) {
        expect([what, await start(more, own)]).toEqual([
          what,
          `fastify-accounts: the option features has thief, which brings the ${what}, and so does another`,
        ])
      }
    },
  )
})
