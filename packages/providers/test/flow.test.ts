import { afterEach, describe, expect, it, vi } from 'vitest'
import { signUp } from '../../accounts/test/support/app.js'
import { demoApp, refusalOf, visitor } from './support/service.js'

const ada = { sub: 'ada-1', email: 'ada@example.org', email_verified: true, preferred_username: 'ada' }
const authoritative = { authoritativeFor: true } as const
const expired = [401, 'ACCOUNTS_LOGIN_EXPIRED']
const refused = [400, 'ACCOUNTS_PROVIDER_REFUSED']
const down = [503, 'ACCOUNTS_PROVIDER_UNAVAILABLE']
const minute = 60_000

afterEach(() => vi.useRealTimers())

describe('the way to the provider', () => {
  it('asks for a code, bound by state, nonce and PKCE, for the callback of baseUrl and no other', async () => {
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

  it('is a redirect for a form, and nothing that a link can begin', async () => {
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

  it('leads back to the site or a trusted origin, and nowhere else', async () => {
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
    const elsewhere = [
      '//evil.example',
      '/\\evil.example',
      'https://evil.example/',
      'javascript:alert(1)',
      'cart',
    ]
    const tricks = [
      '/\t/evil.example',
      'https://www.example.org@evil.example/',
      'https://a@www.example.org/',
      '\\\\evil',
      // Longer than a cookie, once it is a URL.
      `/${'ü'.repeat(900)}`,
    ]
    for (const next of [...elsewhere, ...tricks]) {
      const answer = await service.send('POST', '/login/with/demo/', { next })
      expect([next, answer.statusCode, answer.json().fields?.[0]?.field]).toEqual([next, 400, 'next'])
    }
  })

  it('is open in at most five tabs: the oldest one ends', async () => {
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

describe('the way back', () => {
  it('works once: not for the back button, and not for a copy of the cookies', async () => {
    const service = await demoApp(authoritative)
    const browser = visitor(service)
    const location = await browser.start()
    const thief = visitor(service)
    for (const [name, value] of browser.cookies) thief.cookies.set(name, value)
    const parameters = service.issuer.logIn(location, ada)
    expect((await browser.comeBack(parameters)).statusCode).toBe(303)
    expect(refusalOf(await browser.comeBack(parameters))).toEqual(expired)
    // With a code of its own, which the provider takes.
    const another = service.issuer.logIn(location, ada)
    expect(refusalOf(await thief.comeBack(another))).toEqual(expired)
    expect(await thief.who()).toBeNull()
  })

  it('of twenty at once with one flow, one logs in', async () => {
    const service = await demoApp(authoritative)
    const browser = visitor(service)
    const location = await browser.start()
    const crowd = Array.from({ length: 20 }, () => {
      const each = visitor(service)
      for (const [name, value] of browser.cookies) each.cookies.set(name, value)
      return each.comeBack(service.issuer.logIn(location, ada))
    })
    const statuses = (await Promise.all(crowd)).map(({ statusCode }) => statusCode)
    expect(statuses.filter((status) => status === 303)).toHaveLength(1)
    expect(statuses.filter((status) => status === 401)).toHaveLength(19)
  })

  it('is that of the browser that began, for ten minutes, at this provider', async () => {
    const service = await demoApp(authoritative)
    const browser = visitor(service)
    const location = await browser.start()
    const parameters = service.issuer.logIn(location, ada)
    expect(refusalOf(await visitor(service).comeBack(parameters))).toEqual(expired)
    const state = new URLSearchParams({ code: 'x', state: 'x', iss: service.issuer.url })
    expect(refusalOf(await browser.comeBack(state))).toEqual(expired)
    expect(refusalOf(await browser.comeBack(new URLSearchParams()))).toEqual(expired)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 10 * minute + 1 })
    expect(refusalOf(await browser.comeBack(parameters))).toEqual(expired)
  })

  it('is not taken by whoever only looks', async () => {
    const service = await demoApp(authoritative)
    const browser = visitor(service)
    const parameters = service.issuer.logIn(await browser.start(), ada)
    const head = await browser.send('HEAD', `/login/with/demo/callback/?${parameters}`)
    expect([head.statusCode, head.cookies]).toEqual([200, []])
    expect((await browser.comeBack(parameters)).statusCode).toBe(303)
  })

  it('as a form from the provider reads no cookie and goes on as a link', async () => {
    const service = await demoApp(authoritative)
    const browser = visitor(service)
    const parameters = service.issuer.logIn(await browser.start(), ada)
    parameters.set('user', '{"name":{"firstName":"Ada"}}')
    parameters.set('id_token', 'not read')
    const posted = await service.app.inject({
      method: 'POST',
      url: '/login/with/demo/callback/',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        origin: service.issuer.url,
        'sec-fetch-site': 'cross-site',
      },
      payload: String(parameters),
    })
    expect([posted.statusCode, posted.cookies]).toEqual([303, []])
    const location = String(posted.headers.location)
    expect(location).toMatch(/^\/login\/with\/demo\/callback\/\?/)
    expect(location).not.toContain('id_token')
    expect((await browser.send('GET', location)).statusCode).toBe(303)
    expect(await browser.who()).toBe('ada')
  })

  it('is a page for people, who may have changed their minds', async () => {
    const service = await demoApp(authoritative)
    const browser = visitor(service)
    const { searchParams } = new URL(await browser.start())
    const state = searchParams.get('state') ?? ''
    const canceled = new URLSearchParams({ error: 'access_denied', state, iss: service.issuer.url })
    const answer = await browser.comeBack(canceled, { accept: 'text/html' })
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([400, 'text/html; charset=utf-8'])
    expect(answer.body).toContain('Logging in with Demo did not work')
    expect(browser.cookies.size).toBe(0)
  })
})

describe('an answer of the provider', () => {
  const wrong: [string, (parameters: URLSearchParams) => void][] = [
    ['of another issuer', (parameters) => parameters.set('iss', 'https://evil.example')],
    ['that lacks its issuer', (parameters) => parameters.delete('iss')],
    ['with two codes', (parameters) => parameters.append('code', 'another')],
    ['with a code of somebody else', (parameters) => parameters.set('code', 'unknown')],
  ]
  it.each(wrong)('%s is refused', async (_, twist) => {
    const service = await demoApp(authoritative)
    const browser = visitor(service)
    const parameters = service.issuer.logIn(await browser.start(), ada)
    twist(parameters)
    expect(refusalOf(await browser.comeBack(parameters))).toEqual(refused)
    expect(await service.users.findByEmail(ada.email)).toBeNull()
  })

  const now = (): number => Math.floor(Date.now() / 1000)
  it.each([
    ['for another client', { claims: { aud: 'other' } }],
    ['for several clients, made out to another one', { claims: { aud: ['app', 'other'], azp: 'other' } }],
    ['with another nonce', { claims: { nonce: 'other' } }],
    ['without a nonce', { claims: { nonce: undefined } }],
    ['of another issuer', { claims: { iss: 'https://evil.example' } }],
    ['that has expired', { claims: { iat: now() - 900, exp: now() - 600 } }],
    ['without a subject', { claims: { sub: undefined } }],
    ['with a subject that is none', { claims: { sub: 5 } }],
    ['with an endless subject', { claims: { sub: 'x'.repeat(256) } }],
    ['signed by somebody else', { forged: true }],
    ['that says it needs no signature', { header: { alg: 'none' } }],
    ['signed by a shared secret', { header: { alg: 'HS256' } }],
    ['under a key that is not there', { header: { kid: 'unknown' } }],
    ['that is not there', { idToken: null }],
    ['that is none', { idToken: 'a.b.c' }],
  ])('with an ID token %s is refused', async (_, twist) => {
    const service = await demoApp(authoritative)
    service.issuer.twist = twist
    expect(refusalOf(await visitor(service).logInWith(ada))).toEqual(refused)
    expect(await service.users.findByEmail(ada.email)).toBeNull()
  })

  it('without a signature is refused even where the issuer says that it signs none', async () => {
    const service = await demoApp(authoritative)
    service.issuer.metadata.id_token_signing_alg_values_supported = ['none', 'HS256', 'RS256']
    for (const alg of ['none', 'HS256']) {
      service.issuer.twist = { header: { alg } }
      expect(refusalOf(await visitor(service).logInWith(ada))).toEqual(refused)
    }
  })

  it('may be by a clock that is a little ahead', async () => {
    const service = await demoApp(authoritative)
    service.issuer.twist = { claims: { iat: now() + 20 } }
    expect((await visitor(service).logInWith(ada)).statusCode).toBe(303)
  })

  it('under a new key is taken, and keys are fetched at most once a minute for one that is not there', async () => {
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

  it.each<[string, (response: import('node:http').ServerResponse) => void]>([
    ['an error of its own', (response) => void response.writeHead(500).end('boom')],
    [
      'an answer that is cut off',
      (response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': '500' })
        response.write('{"access_token":')
        setImmediate(() => response.destroy())
      },
    ],
    [
      'no end of an answer',
      (response) => {
        response.writeHead(200, { 'content-type': 'application/json' })
        const more = () => {
          while (response.write('x'.repeat(65536)));
          response.once('drain', more)
        }
        more()
      },
    ],
    ['silence', () => {}],
  ])('that is %s logs nobody in', async (what, token) => {
    const service = await demoApp(authoritative, { adapterTimeout: 500 })
    service.issuer.twist = { token }
    const answer = await visitor(service).logInWith(ada)
    expect([what, answer.statusCode, answer.json().provider]).toEqual([what, 503, 'Demo'])
  })

  it('says nothing of tokens or secrets in the log', async () => {
    const lines: string[] = []
    const stream = { write: (line: string) => void lines.push(line) }
    const service = await demoApp(authoritative, {}, { server: { logger: { stream, level: 'trace' } } })
    const marked = { ...ada, secret_claim: 'sensitive-claim' }
    await visitor(service).logInWith(marked)
    service.issuer.twist = { claims: { aud: 'other' } }
    await visitor(service).logInWith(marked)
    service.issuer.twist = {
      token: (response) =>
        void response
          .writeHead(401, { 'content-type': 'application/json' })
          .end('{"error":"invalid_client","error_description":"wrong secret"}'),
    }
    await visitor(service).logInWith(marked)
    const log = lines.join('')
    expect(log).toContain('invalid_client')
    for (const each of ['sensitive-claim', '"access"', '"secret"', 'eyJ']) expect(log).not.toContain(each)
  })
})

describe('a provider that is down', () => {
  it('does not keep the app from starting, and works again once it is there', async () => {
    const service = await demoApp(authoritative)
    const { port } = new URL(service.issuer.url)
    await service.issuer.close()
    const answer = await service.send('POST', '/login/with/demo/', {})
    expect(refusalOf(answer)).toEqual(down)
    expect([answer.json().provider, answer.json().message]).toEqual(['Demo', expect.stringContaining('Demo')])
    expect(answer.cookies).toEqual([])
    await signUp(service)
    const { startIssuer } = await import('./support/issuer.js')
    const again = await startIssuer(Number(port))
    expect((await visitor({ ...service, issuer: again }).logInWith(ada)).statusCode).toBe(303)
    await again.close()
    // What is known of it is as good as it was.
    expect((await service.send('POST', '/login/with/demo/', {})).statusCode).toBe(200)
  })

  it('is one whose document is of another issuer', async () => {
    const service = await demoApp(authoritative)
    service.issuer.metadata.issuer = 'https://evil.example'
    expect(refusalOf(await service.send('POST', '/login/with/demo/', {}))).toEqual(down)
  })

  it('may not send this app to plain http elsewhere', async () => {
    const service = await demoApp(authoritative)
    service.issuer.metadata.token_endpoint = 'http://evil.example/token'
    expect((await visitor(service).logInWith(ada)).statusCode).not.toBe(303)
    expect(await service.users.findByEmail(ada.email)).toBeNull()
  })
})
