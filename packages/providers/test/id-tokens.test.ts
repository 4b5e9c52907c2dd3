import { hash, randomUUID } from 'node:crypto'
import { providers } from '@fastify-accounts/providers'
import { goodPassword, linkPath, testApp } from '@fastify-accounts/test-support/app'
import { refusalOf } from '@fastify-accounts/test-support/app-browser'
import { type DemoApp, demoApp, visitor } from '@fastify-accounts/test-support/providers/service'
import { codeOf, enroll } from '@fastify-accounts/test-support/second-factor'
import type { LightMyRequestResponse as Response } from 'fastify'
import { secondFactor } from 'fastify-accounts'
import { afterEach, describe, expect, it, vi } from 'vitest'

const email = 'ada@example.org'
const ada = { sub: 'ada-1', email, email_verified: true, preferred_username: 'ada' }
const nonce = 'a random text of the app'
const digest = hash('sha256', nonce, 'hex')
const refused = [400, 'ACCOUNTS_PROVIDER_REFUSED']
const expired = [401, 'ACCOUNTS_LOGIN_EXPIRED']
const unknown = [404, 'ACCOUNTS_NOT_FOUND']
const inApp = { appAudiences: ['ios-app', 'android-app'], authoritativeFor: ['example.org'] }

afterEach(() => vi.useRealTimers())

/** An app on a phone, which keeps what it is sent as a browser keeps cookies. */
function phone(service: DemoApp) {
  const browser = visitor(service)
  const issue = (claims: object = ada, audience = 'ios-app') =>
    service.issuer.issue(audience, digest, { jti: randomUUID(), ...claims })
  return {
    ...browser,
    issue,
    post: (path: string, body: object): Promise<Response> => browser.send('POST', path, body),
    logIn: (claims: object = ada, more: object = {}): Promise<Response> =>
      browser.send('POST', '/login/with/demo/token/', { id_token: issue(claims), nonce, ...more }),
  }
}

describe('a login with an ID token of an SDK', () => {
  it('signs up, and logs in the same account afterwards', async () => {
    const service = await demoApp(inApp)
    const first = await phone(service).logIn()
    expect([first.statusCode, first.json().email, first.json().username]).toEqual([200, email, 'ada'])
    expect(first.json().is_verified).toBe(true)
    const app = phone(service)
    const id_token = app.issue(ada, 'android-app')
    const second = await app.post('/login/with/demo/token/', { id_token, nonce })
    expect([second.statusCode, second.json().id]).toEqual([200, first.json().id])
    expect(await app.who()).toBe('ada')
  })

  it('works once, however its signature is spelled', async () => {
    const service = await demoApp(inApp)
    const app = phone(service)
    const id_token = app.issue()
    expect((await app.post('/login/with/demo/token/', { id_token, nonce })).statusCode).toBe(200)
    const again = phone(service)
    expect(refusalOf(await again.post('/login/with/demo/token/', { id_token, nonce }))).toEqual(expired)
    // The last character of a signature of 256 bytes has four unused bits.
    const respelled = id_token.slice(0, -1) + { A: 'B', Q: 'R', g: 'h', w: 'x' }[id_token.slice(-1)]
    const other = await again.post('/login/with/demo/token/', { id_token: respelled, nonce })
    expect([expired, refused]).toContainEqual(refusalOf(other))
    for (const path of ['/confirm/with/demo/token/', '/identities/demo/token/'])
      expect(refusalOf(await app.post(path, { id_token, nonce }))).toEqual(expired)
    expect(await again.who()).toBeNull()
  })

  it('is rejected unless it is for this app, of this issuer, in time, and for this nonce', async () => {
    const service = await demoApp(inApp)
    const app = phone(service)
    const now = Math.floor(Date.now() / 1000)
    const { issuer } = service
    const [head = '', body = '', signature = ''] = app.issue().split('.')
    const unsigned = Buffer.from('{"alg":"none"}').toString('base64url')
    const bad: Record<string, string> = {
      'of the web client': app.issue(ada, 'app'),
      'of another app at the issuer': app.issue(ada, 'stranger'),
      'of two apps': app.issue({ ...ada, aud: ['ios-app', 'stranger'] }),
      'of another issuer': app.issue({ ...ada, iss: 'https://evil.example' }),
      expired: app.issue({ ...ada, iat: now - 400, exp: now - 60 }),
      'without an end': app.issue({ ...ada, exp: undefined }),
      'for ever': app.issue({ ...ada, exp: now + 400 * 86_400 }),
      'without a subject': app.issue({ ...ada, sub: undefined }),
      'without a nonce': issuer.issue('ios-app', undefined, ada),
      'with another nonce': issuer.issue('ios-app', hash('sha256', 'another nonce', 'hex'), ada),
      'with the nonce itself': issuer.issue('ios-app', nonce, ada),
      unsigned: `${unsigned}.${body}.`,
      'without a signature': `${head}.${body}.`,
      'with another body': `${head}.${Buffer.from('{"aud":"ios-app"}').toString('base64url')}.${signature}`,
      'no token': 'x',
      'with a body that is none': 'a.b.c',
    }
    for (const [what, id_token] of Object.entries(bad)) {
      const response = await app.post('/login/with/demo/token/', { id_token, nonce })
      expect([what, ...refusalOf(response)]).toEqual([what, ...refused])
    }
    for (const twist of [{ forged: true }, { header: { alg: 'HS256' } }, { header: { alg: 'none' } }]) {
      issuer.twist = twist
      const id_token = app.issue()
      issuer.twist = {}
      expect(refusalOf(await app.post('/login/with/demo/token/', { id_token, nonce }))).toEqual(refused)
    }
    expect(await app.who()).toBeNull()
    expect((await app.logIn()).statusCode).toBe(200)
  })

  it('asks for all of it', async () => {
    const app = phone(await demoApp(inApp))
    const id_token = app.issue()
    for (const body of [
      {},
      { id_token },
      { nonce },
      { id_token, nonce: 'short' },
      { id_token, nonce, next: '/' },
    ]) {
      const response = await app.post('/login/with/demo/token/', body)
      expect(refusalOf(response)).toEqual([400, 'ACCOUNTS_INVALID_INPUT'])
    }
  })

  it('is for providers with `appAudiences` only', async () => {
    const { issuer } = await demoApp()
    const web = { name: 'web', issuer: issuer.url, clientId: 'app', clientSecret: 'secret' }
    const service = await testApp({ features: [providers([web])] })
    const id_token = issuer.issue('app', digest, ada)
    const browser = visitor(service)
    expect((await browser.send('POST', '/login/with/web/token/', { id_token, nonce })).statusCode).toBe(404)
    const native = { ...web, name: 'native', clientId: 'other', ...inApp }
    const both = visitor(await testApp({ features: [providers([web, native])] }))
    for (const name of ['web', 'nobody']) {
      const response = await both.send('POST', `/login/with/${name}/token/`, { id_token, nonce })
      expect(refusalOf(response)).toEqual(unknown)
    }
  })

  it('waits for the second factor', async () => {
    const service = await demoApp(inApp, {}, {}, [secondFactor()])
    const app = phone(service)
    await app.logIn()
    const cookie = [...app.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const { secret } = await enroll(service, cookie)
    const again = phone(service)
    const waiting = await again.logIn()
    expect([...refusalOf(waiting), waiting.json().factors[0]]).toEqual([
      401,
      'ACCOUNTS_SECOND_FACTOR_REQUIRED',
      'totp',
    ])
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 })
    const done = await again.post('/login/second-factor/', { code: codeOf(secret) })
    expect([done.statusCode, await again.who()]).toEqual([200, 'ada'])
  })

  it('takes the emailed link where it does for browsers, in the app', async () => {
    const service = await demoApp({ ...inApp, authoritativeFor: [] })
    const app = phone(service)
    const response = await app.logIn()
    expect([response.statusCode, response.json().detail]).toEqual([
      202,
      'We sent you an email. It says how to continue.',
    ])
    const path = linkPath(await service.mail('identity-sign-up'))
    expect(refusalOf(await phone(service).post(path, {}))).toEqual([400, 'ACCOUNTS_OTHER_BROWSER'])
    const done = await app.post(path, {})
    expect([done.statusCode, done.json().email]).toEqual([200, email])
    expect(await app.who()).toBe('ada')
  })

  it('asks whose an account is that somebody has used', async () => {
    const service = await demoApp(inApp)
    const { createUser } = service.app.accounts
    const { id } = await createUser({ username: 'ada', password: goodPassword, email })
    await visitor(service).send('POST', '/login/', { username: 'ada', password: goodPassword })
    const app = phone(service)
    const response = await app.logIn()
    expect([...refusalOf(response), response.json().reason]).toEqual([
      403,
      'ACCOUNTS_NOT_VERIFIED',
      'claim_account',
    ])
    const asked = await app.send('GET', '/login/claim/')
    expect([asked.statusCode, asked.json().email]).toEqual([200, email])
    const kept = await app.post('/login/claim/', { password: goodPassword })
    expect([kept.statusCode, kept.json().id, kept.json().is_verified]).toEqual([200, id, true])
  })

  it('gets the name that comes beside the ID token', async () => {
    const profile = ({ parameters }: { parameters: URLSearchParams }) => ({
      username: parameters.get('user'),
    })
    const app = phone(await demoApp({ ...inApp, profile }))
    expect((await app.logIn(ada, { user: 'lovelace' })).json().username).toBe('lovelace')
  })
})

describe('a logged-in app', () => {
  it('links an identity', async () => {
    const service = await demoApp(inApp)
    const app = phone(service)
    await app.logIn()
    const other = { id_token: app.issue({ sub: 'ada-2' }), nonce }
    expect((await app.post('/identities/demo/token/', other)).statusCode).toBe(204)
    const { results } = (await app.send('GET', '/identities/')).json()
    expect(results).toHaveLength(2)
    const taken = phone(service)
    await taken.logIn({ sub: 'bob-1', email: 'bob@example.org', email_verified: true })
    const again = { id_token: app.issue({ sub: 'ada-2' }), nonce }
    expect(refusalOf(await taken.post('/identities/demo/token/', again))).toEqual([
      409,
      'ACCOUNTS_IDENTITY_TAKEN',
    ])
    const nobody = { id_token: app.issue({ sub: 'ada-3' }), nonce }
    expect(refusalOf(await phone(service).post('/identities/demo/token/', nobody))).toEqual([
      401,
      'ACCOUNTS_LOGIN_REQUIRED',
    ])
  })

  it('confirms with a login of the last minutes, by the linked identity', async () => {
    const service = await demoApp(inApp)
    // Apple's document doesn't list what its ID tokens have.
    service.issuer.metadata.claims_supported = ['sub']
    const app = phone(service)
    await app.logIn()
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60 * 60_000 })
    const at = (minutes: number) => Math.floor(Date.now() / 1000) - minutes * 60
    const confirm = (claims: object) =>
      app.post('/confirm/with/demo/token/', { id_token: app.issue(claims), nonce })
    const lateLink = { id_token: app.issue({ sub: 'ada-2' }), nonce }
    expect(refusalOf(await app.post('/identities/demo/token/', lateLink))).toEqual([
      403,
      'ACCOUNTS_CONFIRMATION_REQUIRED',
    ])
    const cannot = [400, 'ACCOUNTS_PROVIDER_CANNOT_CONFIRM']
    expect(refusalOf(await confirm(ada))).toEqual(cannot)
    expect(refusalOf(await confirm({ ...ada, auth_time: at(10) }))).toEqual(cannot)
    const other = await confirm({ ...ada, sub: 'ada-2', auth_time: at(0) })
    expect([...refusalOf(other), other.json().reason]).toEqual([...refused, 'other_account'])
    expect((await confirm({ ...ada, auth_time: at(2) })).statusCode).toBe(204)
    expect((await app.post('/identities/demo/token/', lateLink)).statusCode).toBe(204)
  })
})

it('responds with 503 while the keys of the provider are away, and never spends the ID token', async () => {
  const service = await demoApp(inApp)
  const app = phone(service)
  const id_token = app.issue()
  const { metadata } = service.issuer
  service.issuer.metadata = { ...metadata, jwks_uri: 'http://127.0.0.1:9/jwks' }
  const away = await app.post('/login/with/demo/token/', { id_token, nonce })
  expect(refusalOf(away)).toEqual([503, 'ACCOUNTS_PROVIDER_UNAVAILABLE'])
  service.issuer.metadata = metadata
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61 * 60_000 })
  const fresh = app.issue()
  await app.post('/login/with/demo/token/', { id_token: fresh, nonce })
  await vi.waitFor(
    async () =>
      expect((await app.post('/login/with/demo/token/', { id_token: fresh, nonce })).statusCode).toBe(200),
    60_000,
  )
})
