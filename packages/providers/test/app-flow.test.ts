import { randomBytes } from 'node:crypto'
import { providers } from '@fastify-accounts/providers'
import { goodPassword, linkPath, testApp } from '@fastify-accounts/test-support/app'
import { refusalOf } from '@fastify-accounts/test-support/app-browser'
import { startIssuer } from '@fastify-accounts/test-support/providers/issuer'
import { type DemoApp, visitor } from '@fastify-accounts/test-support/providers/service'
import { codeOf, enroll } from '@fastify-accounts/test-support/second-factor'
import type { LightMyRequestResponse as Response } from 'fastify'
import { type AccountsOptions, secondFactor } from 'fastify-accounts'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { challengeOf } from './support/pkce.js'

const email = 'ada@example.org'
const ada = { sub: 'ada-1', email, email_verified: true, preferred_username: 'ada' }
const expired = [401, 'ACCOUNTS_LOGIN_EXPIRED']
const invalid = [400, 'ACCOUNTS_INVALID_INPUT']
const html = { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' }

const redirectUri = 'org.example.app:/login'
const loopback = ['http://127.0.0.1/login', 'http://[::1]/login']
const appRedirectUris = [redirectUri, 'https://app.example.org/login?from=web', ...loopback]

afterEach(() => vi.useRealTimers())

/** A service with two providers of one issuer, and logins in apps. */
async function service(own: object = {}, options: Partial<AccountsOptions> = {}): Promise<DemoApp> {
  const issuer = await startIssuer()
  onTestFinished(() => issuer.close())
  const demo = { name: 'demo', label: 'Demo', issuer: issuer.url, clientId: 'app', clientSecret: 'secret' }
  const list = [
    { ...demo, authoritativeFor: ['example.org'], ...own },
    { ...demo, name: 'other', clientId: 'other' },
  ]
  const features = [providers(list, { appRedirectUris }), secondFactor()]
  return { ...(await testApp({ users: { variant: 'both' }, features, ...options })), issuer }
}

/** An app, and the system browser on its device. */
function device(accounts: DemoApp) {
  const app = visitor(accounts)
  const browser = visitor(accounts)
  const verifier = randomBytes(32).toString('base64url')
  const state = randomBytes(8).toString('hex')
  const request = {
    redirect_uri: redirectUri,
    code_challenge: challengeOf(verifier),
    code_challenge_method: 'S256',
    state,
  }
  const urlOf = (more: object = {}, path = '/login/with/demo/app/') =>
    `${path}?${new URLSearchParams({ ...request, ...more } as Record<string, string>)}`
  async function finish(claims: object = ada, more: object = {}): Promise<Response> {
    const begun = await browser.send('POST', urlOf(more))
    if (begun.statusCode !== 200) throw new Error(begun.body)
    return browser.comeBack(accounts.issuer.logIn(begun.json().location, { ...claims }), {
      accept: 'text/html',
    })
  }
  const post = (body: object): Promise<Response> => app.send('POST', '/tokens/', body)
  return {
    ...{ app, browser, verifier, state, urlOf, finish, post },
    redeem: (response: Response) =>
      post({ code: resultOf(response).get('code') ?? '', code_verifier: verifier }),
  }
}

/** What the app gets. */
function resultOf({ statusCode, headers, body }: Response): URLSearchParams {
  const to = headers.location ?? String(headers.refresh).replace('0; url=', '')
  if (![200, 303].includes(statusCode) || !to.startsWith(redirectUri))
    throw new Error(`${statusCode} ${to} ${body}`)
  return new URL(to).searchParams
}

const sessionsIn = (response: Response): string[] =>
  response.cookies
    .filter(({ name, value }) => name.endsWith('session') && value !== '')
    .map(({ name }) => name)

describe('a login in the system browser', () => {
  it('asks first, and ends in the app', async () => {
    const accounts = await service()
    const { app, browser, urlOf, state, verifier, post } = device(accounts)
    const asked = await browser.send('GET', urlOf(), undefined, html)
    expect([asked.statusCode, asked.cookies]).toEqual([200, []])
    expect(asked.body).toContain('Continue with Demo')
    const begun = await browser.send('POST', urlOf(), undefined, html)
    const [, location = ''] = /^0; url=(.+)$/.exec(String(begun.headers.refresh)) ?? []
    expect([begun.statusCode, location.startsWith(`${accounts.issuer.url}/authorize?`)]).toEqual([200, true])
    expect(begun.body).toContain(location.replaceAll('&', '&#38;'))
    const ended = await browser.comeBack(accounts.issuer.logIn(location, ada))
    const result = resultOf(ended)
    expect([...result.keys()]).toEqual(['code', 'state'])
    expect(result.get('state')).toBe(state)
    expect(sessionsIn(ended)).toEqual([])
    expect(await browser.who()).toBeNull()
    const body = { code: result.get('code') ?? '', code_verifier: verifier }
    const done = await post(body)
    expect([done.statusCode, done.json().email]).toEqual([200, email])
    expect(await app.who()).toBe('ada')
    const again = device(accounts)
    expect((await again.redeem(await again.finish())).json().id).toBe(done.json().id)
  })

  it('only starts with a click on the page, and needs no page for a script', async () => {
    const accounts = await service()
    const { browser, urlOf, app } = device(accounts)
    expect((await app.send('GET', urlOf())).json()).toEqual({ provider: 'Demo' })
    const crossSite = { ...html, 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }
    const forged = await browser.send('POST', urlOf(), undefined, crossSite)
    expect([forged.statusCode, forged.headers.refresh, forged.headers.location]).toEqual([
      403,
      undefined,
      undefined,
    ])
    expect(browser.cookies.size).toBe(0)
  })

  it('returns the state as it is', async () => {
    const accounts = await service()
    for (const state of ['a b&c=d#e%20+~', '{"a":"\\"\\\\"}', "<script>'", '%00%0d%0a']) {
      const { finish } = device(accounts)
      expect(resultOf(await finish(ada, { state })).get('state')).toBe(state)
    }
    const { browser, urlOf } = device(accounts)
    for (const state of ['', 'é', 'a\nb', 'x'.repeat(201)])
      expect(refusalOf(await browser.send('POST', urlOf({ state })))).toEqual(invalid)
  })

  it('ends at the URI of the request only, if it is one of the list', async () => {
    const accounts = await service()
    const good = [
      'http://127.0.0.1:49152/login',
      'http://[::1]:49152/login',
      ...loopback,
      'https://app.example.org/login?from=web',
    ]
    for (const redirect_uri of good) {
      const { finish } = device(accounts)
      const { headers } = await finish(ada, { redirect_uri })
      const joint = redirect_uri.includes('?') ? '&' : '?'
      expect(headers.location?.startsWith(`${redirect_uri}${joint}code=`)).toBe(true)
    }
    const bad = [
      'org.example.app:/login/',
      'org.example.app:/Login',
      'ORG.example.app:/login',
      'org.example.app://login',
      'org.example.app:/login#x',
      'org.example.app:/login?x=1',
      'org.example.app:/login/../login',
      ' org.example.app:/login',
      'org.example.other:/login',
      'http://127.0.0.1:49152/login/',
      'http://127.0.0.1:49152/other',
      'http://127.0.0.1:49152/login?x=1',
      'http://127.0.0.1:0/login',
      'http://127.0.0.1:99999/login',
      'http://127.0.0.1:/login',
      'http://127.0.0.1:80:80/login',
      'http://127.0.0.2:49152/login',
      'http://localhost:49152/login',
      'http://ada@127.0.0.1:49152/login',
      'http://127.0.0.1:1@evil.example/login',
      'http://127.0.0.1$`:49152/login',
      'https://127.0.0.1:49152/login',
      'https://app.example.org/login',
      'https://app.example.org:8443/login?from=web',
      'https://app.example.org/login?from=web&x=1',
      'https://app.example.org@evil.example/login?from=web',
      'http://app.example.org/login?from=web',
      'javascript:alert(1)',
      'x'.repeat(301),
    ]
    for (const redirect_uri of bad) {
      const { browser, urlOf } = device(accounts)
      for (const method of ['GET', 'POST'] as const) {
        const { statusCode, headers, cookies } = await browser.send(
          method,
          urlOf({ redirect_uri }),
          undefined,
          html,
        )
        expect([redirect_uri, statusCode, headers.location, headers.refresh, cookies]).toEqual([
          ...[redirect_uri, 400, undefined, undefined],
          [],
        ])
      }
    }
  })

  it('needs a challenge by S256', async () => {
    const { browser, urlOf } = device(await service())
    for (const wrong of [
      { code_challenge_method: 'plain' },
      { code_challenge_method: '' },
      { code_challenge: '' },
      { code_challenge: 'x'.repeat(42) },
      { code_challenge: `${'x'.repeat(42)}=` },
    ])
      for (const method of ['GET', 'POST'] as const)
        expect(refusalOf(await browser.send(method, urlOf(wrong)))).toEqual(invalid)
    for (const name of ['code_challenge', 'code_challenge_method', 'redirect_uri', 'state']) {
      const missing = urlOf().replace(new RegExp(`${name}=[^&]*&?`), '')
      expect(refusalOf(await browser.send('POST', missing))).toEqual(invalid)
      expect(refusalOf(await browser.send('POST', `${urlOf()}&${name}=x`))).toEqual(invalid)
    }
    // What a library for OAuth 2 sends beside.
    const more = urlOf({ client_id: 'x', response_type: 'code', scope: 'openid' })
    expect((await browser.send('POST', more)).statusCode).toBe(200)
  })

  it('is not there without `appRedirectUris`, and not at an unknown provider', async () => {
    const issuer = await startIssuer()
    onTestFinished(() => issuer.close())
    const demo = { name: 'demo', issuer: issuer.url, clientId: 'app', clientSecret: 'secret' }
    const plain = { ...(await testApp({ features: [providers([demo])] })), issuer }
    expect((await device(plain).browser.send('GET', device(plain).urlOf())).statusCode).toBe(404)
    expect((await device(plain).post({ code: 'x', code_verifier: 'x'.repeat(43) })).statusCode).toBe(404)
    const { browser, urlOf } = device(await service())
    const unknown = await browser.send('GET', urlOf({}, '/login/with/nobody/app/'))
    expect(refusalOf(unknown)).toEqual([404, 'ACCOUNTS_NOT_FOUND'])
  })

  it('keeps to the provider and the browser that it began with', async () => {
    const accounts = await service()
    const one = device(accounts)
    const { location } = (await one.browser.send('POST', one.urlOf())).json()
    const parameters = accounts.issuer.logIn(location, ada)
    expect(refusalOf(await device(accounts).browser.comeBack(parameters))).toEqual(expired)
    const mixed = await one.browser.send('GET', `/login/with/other/callback/?${parameters}`)
    expect(refusalOf(mixed)).toEqual(expired)
  })
})

describe('the code of an app', () => {
  it('is worth nothing to another app, which has no verifier', async () => {
    const { finish, post, verifier, app } = device(await service())
    const code = resultOf(await finish()).get('code') ?? ''
    const challenge = challengeOf(verifier)
    for (const code_verifier of ['x'.repeat(43), challenge, `${verifier}x`])
      expect(refusalOf(await post({ code, code_verifier }))).toEqual(expired)
    for (const body of [{ code }, { code_verifier: verifier }, { code, code_verifier: verifier.slice(1) }])
      expect(refusalOf(await post(body))).toEqual(invalid)
    expect(await app.who()).toBeNull()
    // The attempts haven't used it up.
    expect((await post({ code, code_verifier: verifier })).statusCode).toBe(200)
  })

  it('works once, for a minute, unchanged', async () => {
    const { finish, post, verifier } = device(await service())
    const code = resultOf(await finish()).get('code') ?? ''
    const body = { code, code_verifier: verifier }
    const flipped = code.slice(0, -2) + (code.endsWith('AA') ? 'QQ' : 'AA')
    expect(refusalOf(await post({ ...body, code: flipped }))).toEqual(expired)
    const twenty = await Promise.all(Array.from({ length: 20 }, () => post(body)))
    expect(twenty.map(({ statusCode }) => statusCode).sort()).toEqual([200, ...Array(19).fill(401)])
    const late = resultOf(await finish()).get('code') ?? ''
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 })
    expect(refusalOf(await post({ ...body, code: late }))).toEqual(expired)
  })

  it('is of no use at another realm, nor once everybody has been logged out', async () => {
    const accounts = await service()
    const { finish, verifier, post } = device(accounts)
    const code = resultOf(await finish()).get('code') ?? ''
    const body = { code, code_verifier: verifier }
    const realm = device(await service({}, { session: { cookieName: 'staff' } }))
    expect(refusalOf(await realm.post(body))).toEqual(expired)
    const user = await accounts.users.findByEmail(email)
    await accounts.app.accounts.endUserSessions(user?.id ?? '')
    expect(refusalOf(await post(body))).toEqual(expired)
  })

  it('is nothing that a browser keeps: no other sealed text is one', async () => {
    const accounts = await service()
    const { browser, urlOf, post, verifier } = device(accounts)
    await browser.send('POST', urlOf())
    const [[, flow = ''] = []] = browser.cookies
    expect(refusalOf(await post({ code: decodeURIComponent(flow), code_verifier: verifier }))).toEqual(
      expired,
    )
  })

  it('waits for the second factor, in the app', async () => {
    const accounts = await service()
    const one = device(accounts)
    await one.redeem(await one.finish())
    const cookie = [...one.app.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const { secret } = await enroll(accounts, cookie)
    const two = device(accounts)
    const waiting = await two.redeem(await two.finish())
    expect(refusalOf(waiting)).toEqual([401, 'ACCOUNTS_SECOND_FACTOR_REQUIRED'])
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 })
    expect((await two.app.send('POST', '/login/second-factor/', { code: codeOf(secret) })).statusCode).toBe(
      200,
    )
    expect([await two.app.who(), await two.browser.who()]).toEqual(['ada', null])
  })

  it('does not let a disabled user in, nor one whose identity was removed', async () => {
    const accounts = await service()
    const alice = { username: 'alice', password: goodPassword, email, isVerified: true }
    await accounts.app.accounts.createUser(alice)
    const one = device(accounts)
    await one.redeem(await one.finish())
    const removed = device(accounts)
    const ended = await removed.finish()
    const web = visitor(accounts)
    await web.logIn()
    const [identity] = (await web.send('GET', '/identities/')).json().results
    expect((await web.send('DELETE', `/identities/${identity.id}`)).statusCode).toBe(204)
    expect(refusalOf(await removed.redeem(ended))).toEqual([401, 'ACCOUNTS_INVALID_CREDENTIALS'])
    const other = device(accounts)
    const bob = { sub: 'bob-1', email: 'bob@example.org', email_verified: true }
    const second = await other.finish(bob)
    const user = await accounts.users.findByEmail('bob@example.org')
    await accounts.app.accounts.updateUser(user?.id ?? '', { isActive: false })
    const [status, code] = refusalOf(await other.redeem(second))
    expect([
      [401, 'ACCOUNTS_LOGIN_EXPIRED'],
      [403, 'ACCOUNTS_DISABLED'],
    ]).toContainEqual([status, code])
  })

  it.each([false, true])(
    'links an identity by its address when it is redeemed, with keepTokens %s',
    async (keepTokens) => {
      const accounts = await service({ keepTokens })
      accounts.issuer.twist = { tokens: { refresh_token: 'r'.repeat(3000) } }
      const { createUser } = accounts.app.accounts
      const { id } = await createUser({ username: 'alice', password: goodPassword, email, isVerified: true })
      const { finish, redeem } = device(accounts)
      const ended = await finish()
      expect(ended.headers.location?.length).toBeLessThan(2000)
      expect((await accounts.users.findById(id))?.identityKeys).toEqual([])
      expect((await redeem(ended)).json().id).toBe(id)
      expect((await accounts.users.findById(id))?.identityKeys).toHaveLength(1)
    },
  )
})

describe('what needs the person', () => {
  it('cancels in the app what they cancel at the provider', async () => {
    const accounts = await service()
    const { browser, urlOf, state } = device(accounts)
    const { location } = (await browser.send('POST', urlOf())).json()
    const parameters = accounts.issuer.logIn(location, ada)
    parameters.delete('code')
    parameters.set('error', 'access_denied')
    const result = resultOf(await browser.comeBack(parameters))
    expect(Object.fromEntries(result)).toEqual({
      error: 'access_denied',
      error_description: 'ACCOUNTS_PROVIDER_REFUSED',
      state,
    })
  })

  it('tells the app of outages and refusals', async () => {
    const accounts = await service({ allow: ({ subject }: { subject: string }) => subject !== 'eve-1' })
    const errorOf = (response: Response) =>
      ['error', 'error_description'].map((name) => resultOf(response).get(name))
    const eve = await device(accounts).finish({ sub: 'eve-1' })
    expect(errorOf(eve)).toEqual(['access_denied', 'ACCOUNTS_FORBIDDEN'])
    accounts.issuer.twist = { token: (response) => response.writeHead(500).end() }
    expect(errorOf(await device(accounts).finish())).toEqual([
      'temporarily_unavailable',
      'ACCOUNTS_PROVIDER_UNAVAILABLE',
    ])
  })

  it('tells the app that sign-ups are throttled, and keeps the query of its URI', async () => {
    const accounts = await service({}, { throttle: { limits: { create: { max: 1, window: 60_000 } } } })
    const redirect_uri = 'https://app.example.org/login?from=web'
    const goesTo = async (name: string, client = device(accounts)) => {
      const claims = { sub: name, email: `${name}@example.org`, email_verified: true }
      const { headers } = await client.finish(claims, { redirect_uri })
      return headers.location?.replace(client.state, 'ours')
    }
    expect(await goesTo('ada')).toMatch(/^https:\/\/app\.example\.org\/login\?from=web&code=.+&state=ours$/)
    const throttled = 'error=temporarily_unavailable&error_description=ACCOUNTS_THROTTLED'
    expect(await goesTo('bob')).toBe(`${redirect_uri}&${throttled}&state=ours`)
  })

  it('emails the link that proves an address, opened in the browser, and then logs in', async () => {
    const accounts = await service({ authoritativeFor: [] })
    const { browser, app, finish, redeem } = device(accounts)
    const mailed = await finish()
    expect(mailed.statusCode).toBe(202)
    expect(mailed.body).toContain('Then go back to the app and log in again.')
    expect(mailed.body).toContain(`href="${redirectUri}?error=access_denied&#38;`)
    const path = linkPath(await accounts.mail('identity-sign-up'))
    expect((await browser.send('GET', path, undefined, html)).body).toContain('in the app')
    const confirmed = await browser.send('POST', path, undefined, html)
    expect([confirmed.statusCode, sessionsIn(confirmed)]).toEqual([202, []])
    expect(confirmed.body).toContain('log in with Demo again')
    expect([await browser.who(), await app.who()]).toEqual([null, null])
    expect((await redeem(await finish())).json().email).toBe(email)
  })

  it.each([
    ['kept with its password', { password: goodPassword }, 'alice'],
    ['replaced', { start_afresh: 'true' }, 'ada'],
  ])('asks whose a used account is, which is %s', async (_, answer, username) => {
    const accounts = await service()
    await accounts.app.accounts.createUser({ username: 'alice', password: goodPassword, email })
    await visitor(accounts).logIn()
    const { browser, finish, app, redeem } = device(accounts)
    const asked = await finish()
    expect([asked.statusCode, asked.headers.location]).toEqual([303, '/login/claim/'])
    expect((await browser.send('GET', '/login/claim/', undefined, html)).statusCode).toBe(200)
    const form = String(new URLSearchParams(answer as unknown as Record<string, string>))
    const response = await accounts.app.inject({
      ...{ method: 'POST', url: '/login/claim/', payload: form },
      headers: {
        ...html,
        cookie: [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      },
    })
    expect([response.statusCode, sessionsIn(response)]).toEqual([202, []])
    expect(response.body).toContain('log in with Demo again')
    expect((await redeem(await finish())).json().username).toBe(username)
    expect([await app.who(), await browser.who()]).toEqual([username, null])
  })
})
