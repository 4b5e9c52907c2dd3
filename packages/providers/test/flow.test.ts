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
    const answer = await service.send(
      'POST',
      '/auth/login/with/demo/',
      {},
      { headers: { host: 'evil.example' } },
    )
    const url = new URL(answer.json().location)
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
    const [cookie] = answer.cookies
    expect(cookie).toMatchObject({ httpOnly: true, secure: true, sameSite: 'Lax', path: '/', maxAge: 600 })
    expect(cookie?.name).toMatch(/^__Host-/)
    expect(JSON.stringify(cookie)).not.toContain(url.searchParams.get('nonce'))
  })

  it("is a redirect for a form, and can't be started by a link", async () => {
    const service = await demoApp()
    const html = { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' }
    const answer = await visitor(service).send('POST', '/login/with/demo/', undefined, html)
    expect([answer.statusCode, answer.headers.location]).toEqual([
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
      const answer = await browser.comeBack(
        service.issuer.logIn(await sentBy(form), { ...ada, auth_time: Date.now() / 1000 }),
      )
      expect([form, answer.statusCode]).toEqual([form, 303])
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
      const answer = await visitor(service).logInWith(ada, next === undefined ? {} : { next })
      landed.push(answer.headers.location)
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
    const answer = await browser.comeBack(parameters, { accept: 'text/html' })
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([202, 'text/html; charset=utf-8'])
  })

  it('shows a page to people who canceled', async () => {
    const service = await demoApp(authoritative)
    const browser = visitor(service)
    const { searchParams } = new URL(await browser.start())
    const state = searchParams.get('state') ?? ''
    const canceled = new URLSearchParams({ error: 'access_denied', state, iss: service.issuer.url })
    const answer = await browser.comeBack(canceled, { accept: 'text/html' })
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([400, 'text/html; charset=utf-8'])
    expect(answer.body).toContain('We couldn’t log you in with Demo')
    expect(browser.cookies.size).toBe(0)
  })
})

describe('the log', () => {
  /** What a callback of this flow logs, except Fastify's own lines. */
  async function logged(answer: Record<string, string>) {
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
    const parameters = new URLSearchParams({ iss: service.issuer.url, ...answer, state })
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

  it.each(['access_denied', 'user_cancelled_authorize'])(
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
  ])('has a warning with the reason: %s', async (_, answer, reason) => {
    expect(await logged(answer)).toEqual([
      {
        ...{ level: 40, msg: 'accounts: a login with demo failed', code: undefined, reason: undefined },
        stack: true,
      },
      { ...line, reason: expect.stringContaining(reason) },
    ])
  })
})

describe('a response from the provider', () => {
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
    const answer = await service.send('POST', '/login/with/demo/', {})
    expect(refusalOf(answer)).toEqual(down)
    expect([answer.json().provider, answer.json().message]).toEqual(['Demo', expect.stringContaining('Demo')])
    expect(answer.cookies).toEqual([])
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
