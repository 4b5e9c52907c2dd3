import { Writable } from 'node:stream'
import { signUp } from '@fastify-accounts/test-support/app'
import { refusalOf } from '@fastify-accounts/test-support/app-browser'
import { demoApp, visitor } from '@fastify-accounts/test-support/providers/service'
import { afterEach, describe, expect, it, vi } from 'vitest'

const ada = { sub: 'ada-1', email: 'ada@example.org', email_verified: true, preferred_username: 'ada' }
const authoritative = { authoritativeFor: true } as const
const expired = [401, 'ACCOUNTS_LOGIN_EXPIRED']
const refused = [400, 'ACCOUNTS_PROVIDER_REFUSED']
const down = [503, 'ACCOUNTS_PROVIDER_UNAVAILABLE']
const minute = 60_000

afterEach(() => vi.useRealTimers())

describe('the authorization request', () => {
  it('asks for a code, bound by state, nonce and PKCE, always with the callback of baseUrl', async () => {
    const service = await demoApp({}, { auth: { prefix: '/auth' }, baseUrl: 'https://accounts.example.org' })
    const response = await service.send(
      'POST',
      '/auth/login/with/demo/',
      {},
      { headers: { host: 'evil.example' } },
    )
    const url = new URL(response.json().location)
    expect(`${url.origin}${url.pathname}`).toBe(`${service.issuer.url}/authorize`)
    expect(Object.fromEntries(url.searchParams)).toEqual({
      client_id: 'app',
      response_type: 'code',
      redirect_uri: 'https://accounts.example.org/auth/login/with/demo/callback/',
      scope: 'openid email profile',
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    })
    const [cookie] = response.cookies
    expect(cookie).toMatchObject({ httpOnly: true, secure: true, sameSite: 'Lax', path: '/', maxAge: 600 })
    expect(cookie?.name).toMatch(/^__Host-/)
    expect(JSON.stringify(cookie)).not.toContain(url.searchParams.get('nonce'))
  })

  it("is a redirect for a form, and can't be started by a link", async () => {
    const service = await demoApp()
    const html = { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' }
    const response = await visitor(service).send('POST', '/login/with/demo/', undefined, html)
    expect([response.statusCode, response.headers.location]).toEqual([
      303,
      expect.stringContaining(`${service.issuer.url}/authorize?`),
    ])
    expect((await service.send('GET', '/login/with/demo/')).statusCode).toBe(405)
    const crossSite = { headers: { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' } }
    expect(refusalOf(await service.send('POST', '/login/with/demo/', {}, crossSite))).toEqual([
      403,
      'ACCOUNTS_CROSS_SITE',
    ])
    expect(refusalOf(await service.send('POST', '/login/with/other/', {}))).toEqual([
      404,
      'ACCOUNTS_NOT_FOUND',
    ])
  })

  it("is a redirect for a form where the app's clients send a version, which a form can't", async () => {
    const service = await demoApp(authoritative, { constraints: { version: '1.0.0' } })
    const browser = visitor(service)
    const html = { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' }
    const sentBy = async (form: string) => {
      const { statusCode, headers } = await browser.send('POST', form, undefined, html)
      expect([form, statusCode]).toEqual([form, 303])
      return String(headers.location)
    }
    await browser.comeBack(service.issuer.logIn(await sentBy('/login/with/demo/'), ada))
    for (const form of ['/confirm/with/demo/', '/identities/demo']) {
      const response = await browser.comeBack(
        service.issuer.logIn(await sentBy(form), { ...ada, auth_time: Date.now() / 1000 }),
      )
      expect([form, response.statusCode]).toEqual([form, 303])
    }
    expect((await browser.send('GET', '/identities/')).statusCode).toBe(404)
    const listed = await browser.send('GET', '/identities/', undefined, { 'accept-version': '1.x' })
    expect(listed.json().results).toHaveLength(1)
  })

  it('leads back to the site or a trusted origin', async () => {
    const own = {
      brand: { url: 'https://www.example.org/shop' },
      trustedOrigins: ['https://app.example.net'],
    }
    const service = await demoApp(authoritative, own)
    const landed = []
    for (const next of [undefined, '/cart?x=1#y', 'https://app.example.net/z', 'http://localhost:3000/q']) {
      const response = await visitor(service).logInWith(ada, next === undefined ? {} : { next })
      landed.push(response.headers.location)
    }
    expect(landed).toEqual([
      'https://www.example.org/shop',
      'https://www.example.org/cart?x=1#y',
      'https://app.example.net/z',
      'http://localhost:3000/q',
    ])
  })

  it('may be open in five tabs: then the oldest one expires', async () => {
    const service = await demoApp(authoritative)
    const browser = visitor(service)
    vi.useFakeTimers({ toFake: ['Date'] })
    const locations: string[] = []
    for (let n = 0; n < 6; n += 1) {
      vi.setSystemTime(Date.now() + 1000)
      locations.push(await browser.start())
    }
    expect(browser.cookies.size).toBe(5)
    const [oldest = '', second = '', ...others] = locations
    expect(refusalOf(await browser.comeBack(service.issuer.logIn(oldest, ada)))).toEqual(expired)
    for (const each of [others[3] ?? '', second])
      expect((await browser.comeBack(service.issuer.logIn(each, ada))).statusCode).toBe(303)
  })
})

describe('the callback', () => {
  it('is not consumed by a HEAD request', async () => {
    const service = await demoApp(authoritative)
    const browser = visitor(service)
    const parameters = service.issuer.logIn(await browser.start(), ada)
    const head = await browser.send('HEAD', `/login/with/demo/callback/?${parameters}`)
    expect([head.statusCode, head.cookies]).toEqual([200, []])
    expect((await browser.comeBack(parameters)).statusCode).toBe(303)
  })

  it.each(['code', 'iss'])('rejects %s if it is there twice', async (name) => {
    const service = await demoApp(authoritative)
    const browser = visitor(service)
    const parameters = new URLSearchParams(service.issuer.logIn(await browser.start(), ada))
    parameters.append(name, parameters.get(name) ?? '')
    expect(refusalOf(await browser.comeBack(parameters))).toEqual(refused)
  })

  it('shows a page to people who have to prove their address', async () => {
    const service = await demoApp()
    const browser = visitor(service)
    const parameters = service.issuer.logIn(await browser.start(), ada)
    const response = await browser.comeBack(parameters, { accept: 'text/html' })
    expect([response.statusCode, response.headers['content-type']]).toEqual([202, 'text/html; charset=utf-8'])
  })

  it('shows a page to people who canceled', async () => {
    const service = await demoApp(authoritative)
    const browser = visitor(service)
    const { searchParams } = new URL(await browser.start())
    const state = searchParams.get('state') ?? ''
    const canceled = new URLSearchParams({ error: 'access_denied', state, iss: service.issuer.url })
    const response = await browser.comeBack(canceled, { accept: 'text/html' })
    expect([response.statusCode, response.headers['content-type']]).toEqual([400, 'text/html; charset=utf-8'])
    expect(response.body).toContain('The login with Demo was canceled.')
    expect(browser.cookies.size).toBe(0)
  })
})

describe('the log', () => {
  /** What a callback of this flow logs, except Fastify's own lines. */
  async function logged(response: Record<string, string>) {
    const lines: Record<string, unknown>[] = []
    const stream = new Writable({
      write(chunk, _encoding, done) {
        lines.push(JSON.parse(String(chunk)))
        done()
      },
    })
    const service = await demoApp(authoritative, {}, { server: { logger: { level: 'info', stream } } })
    const browser = visitor(service)
    const { searchParams } = new URL(await browser.start())
    const state = searchParams.get('state') ?? ''
    lines.length = 0
    const parameters = new URLSearchParams({ iss: service.issuer.url, ...response, state })
    expect(refusalOf(await browser.comeBack(parameters))).toEqual(refused)
    return lines
      .filter(({ msg }) => String(msg).startsWith('accounts:'))
      .map(({ level, msg, code, reason, err }) => ({ level, msg, code, reason, stack: err !== undefined }))
  }
  const line = {
    level: 30,
    msg: 'accounts: the request was rejected',
    code: 'ACCOUNTS_PROVIDER_REFUSED',
    stack: false,
  }

  it.each(['access_denied', 'ACCESS_DENIED', 'user_cancelled_authorize', 'user_cancelled_login'])(
    'has one line and no warning for a user who cancels: %s',
    async (error) => {
      expect(await logged({ error, error_description: 'not now' })).toEqual([
        { ...line, reason: expect.stringContaining(`${error} not now`) },
      ])
    },
  )

  it.each([
    ['an error of the app', { error: 'invalid_scope' }, 'invalid_scope'],
    ['a failure that the browser reports', { error: 'server_error' }, 'server_error'],
    ['a cancellation from another provider', { error: 'access_denied', iss: 'https://evil.example' }, 'iss'],
  ])('has a warning with the reason: %s', async (_, response, reason) => {
    expect(await logged(response)).toEqual([
      {
        ...{ level: 40, msg: 'accounts: a login with demo failed', code: undefined, reason: undefined },
        stack: true,
      },
      { ...line, reason: expect.stringContaining(reason) },
    ])
  })
})

describe('a response from the provider', () => {
  /** An app, and what it logs as a warning. */
  async function warned(own: Parameters<typeof demoApp>[0] = authoritative) {
    const lines: string[] = []
    const logger = { level: 'warn', stream: { write: (line: string) => void lines.push(line) } }
    const service = await demoApp(own, {}, { server: { logger } })
    // What the start warns about.
    lines.length = 0
    return { service, lines }
  }

  it('without the nonce is rejected, and the log says what to do if the provider never sends it', async () => {
    const { service, lines } = await warned()
    service.issuer.twist = { claims: { nonce: undefined } }
    expect(refusalOf(await visitor(service).logInWith(ada))).toEqual(refused)
    expect(lines).toHaveLength(1)
    expect(lines[0]).toContain("lacks: ['nonce']")
  })

  it('without nonce and PKCE is accepted from a provider that lacks them, which is asked for neither', async () => {
    const service = await demoApp({ ...authoritative, lacks: ['nonce', 'pkce'] })
    service.issuer.twist = { claims: { nonce: undefined } }
    const browser = visitor(service)
    const location = await browser.start()
    const asked = [...new URL(location).searchParams.keys()]
    expect(asked.sort()).toEqual(['client_id', 'redirect_uri', 'response_type', 'scope', 'state'])
    expect((await browser.comeBack(service.issuer.logIn(location, ada))).statusCode).toBe(303)
    expect(service.issuer.sent.has('code_verifier')).toBe(false)
    // What remains: the flow belongs to one browser.
    const parameters = service.issuer.logIn(await browser.start(), ada)
    expect(refusalOf(await visitor(service).comeBack(parameters))).toEqual(expired)
  })

  it.each(['true', 'True', 'yes', '1', 1, ['true'], 'false'])(
    'that calls an address verified with %j links no account, and one line says so',
    async (email_verified) => {
      const { service, lines } = await warned()
      for (let times = 0; times < 2; times += 1)
        expect((await visitor(service).logInWith({ ...ada, email_verified })).statusCode).toBe(202)
      expect(lines).toHaveLength(1)
      expect(JSON.parse(lines[0] ?? '').msg).toContain(
        `demo says whether an address is verified with ${JSON.stringify(email_verified)}, not with true or false`,
      )
    },
  )

  it('may call an address verified in its own words, which a profile translates', async () => {
    const { service, lines } = await warned({
      ...authoritative,
      profile: ({ claims }) => ({ emailVerified: claims.email_verified === 'yes' }),
    })
    expect((await visitor(service).logInWith({ ...ada, email_verified: 'yes' })).statusCode).toBe(303)
    expect(lines).toEqual([])
  })

  it('with an unclear word for verified is unverified for `allow`, too', async () => {
    const service = await demoApp({ ...authoritative, allow: ({ emailVerified }) => emailVerified })
    const response = await visitor(service).logInWith({ ...ada, email_verified: 'false' })
    expect(refusalOf(response)).toEqual([403, 'ACCOUNTS_FORBIDDEN'])
  })

  it.each([
    ['no type of the token', { token_type: undefined }],
    ['null for what it lacks', { scope: null, refresh_token: null, expires_in: null }],
    ['empty texts for what it lacks', { scope: '', refresh_token: '', token_type: '' }],
  ])('may have %s', async (_, tokens) => {
    const service = await demoApp(authoritative)
    service.issuer.twist = { tokens }
    expect((await visitor(service).logInWith(ada)).statusCode).toBe(303)
  })

  it.each([
    [
      'GitHub',
      200,
      { error: 'bad_verification_code', error_description: 'It has expired.' },
      /bad_verification_code It has expired/,
    ],
    ['Slack', 200, { ok: false, error: 'invalid_code' }, /invalid_code/],
    [
      'Meta',
      400,
      { error: { message: 'Invalid code', type: 'OAuthException', code: 100 } },
      /OAuthException Invalid code/,
    ],
    ['a provider without words', 400, { error: {} }, /unknown/],
  ])(
    'with an error as %s writes it is rejected, and the log has the error',
    async (_, status, body, words) => {
      const { service, lines } = await warned()
      service.issuer.twist = {
        token: (response) =>
          void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
      }
      expect(refusalOf(await visitor(service).logInWith(ada))).toEqual(refused)
      expect(JSON.parse(lines[0] ?? '').err.message).toMatch(words)
    },
  )

  it('with a number as subject is rejected, and the log says what to return', async () => {
    const { service, lines } = await warned({ profile: () => ({ subject: 17 as unknown as string }) })
    expect(refusalOf(await visitor(service).logInWith(ada))).toEqual(refused)
    expect(lines.join('')).toContain('the subject of demo is a number: return String() of it')
  })

  it('is not asked for with a secret that was pasted with its line break, and the log names it', async () => {
    const { service, lines } = await warned({ clientSecret: () => 's3cret\n' })
    expect(refusalOf(await visitor(service).logInWith(ada))).toEqual(down)
    expect(lines.join('')).toContain('what clientSecret of demo returned must be the value alone')
    expect(lines.join('')).not.toContain('s3cret')
  })

  it('may come from a clock that is slightly ahead', async () => {
    const service = await demoApp(authoritative)
    service.issuer.twist = { claims: { iat: Math.floor(Date.now() / 1000) + 20 } }
    expect((await visitor(service).logInWith(ada)).statusCode).toBe(303)
  })

  it('with a new key is accepted; for unknown keys, the key set is fetched once a minute at most', async () => {
    const service = await demoApp(authoritative)
    const { issuer } = service
    expect((await visitor(service).logInWith(ada)).statusCode).toBe(303)
    issuer.rotate()
    for (let n = 0; n < 5; n += 1) expect(refusalOf(await visitor(service).logInWith(ada))).toEqual(refused)
    expect(issuer.asked.get('/jwks')).toBe(1)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + minute })
    expect((await visitor(service).logInWith(ada)).statusCode).toBe(303)
    expect(issuer.asked.get('/jwks')).toBe(2)
  })
})

describe('a provider that is down', () => {
  it("doesn't keep the app from starting, and works once it is back", async () => {
    const service = await demoApp(authoritative)
    const { port } = new URL(service.issuer.url)
    await service.issuer.close()
    const response = await service.send('POST', '/login/with/demo/', {})
    expect(refusalOf(response)).toEqual(down)
    expect([response.json().provider, response.json().message]).toEqual([
      'Demo',
      expect.stringContaining('Demo'),
    ])
    expect(response.cookies).toEqual([])
    await signUp(service)
    const { startIssuer } = await import('@fastify-accounts/test-support/providers/issuer')
    const again = await startIssuer(Number(port))
    expect((await visitor({ ...service, issuer: again }).logInWith(ada)).statusCode).toBe(303)
    await again.close()
    // Its cached metadata is still valid.
    expect((await service.send('POST', '/login/with/demo/', {})).statusCode).toBe(200)
  })

  it("can't send the app to plain HTTP elsewhere", async () => {
    const service = await demoApp(authoritative)
    service.issuer.metadata.token_endpoint = 'http://evil.example/token'
    expect((await visitor(service).logInWith(ada)).statusCode).not.toBe(303)
    expect(await service.users.findByEmail(ada.email)).toBeNull()
  })
})
