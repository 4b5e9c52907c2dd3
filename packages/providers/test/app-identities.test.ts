import { randomBytes } from 'node:crypto'
import { providers } from '@fastify-accounts/providers'
import { goodPassword, testApp } from '@fastify-accounts/test-support/app'
import { refusalOf } from '@fastify-accounts/test-support/app-browser'
import { startIssuer } from '@fastify-accounts/test-support/providers/issuer'
import { type DemoApp, visitor } from '@fastify-accounts/test-support/providers/service'
import { type TokenClient, tokenClient } from '@fastify-accounts/test-support/tokens'
import type { LightMyRequestResponse as Response } from 'fastify'
import { secondFactor, tokens } from 'fastify-accounts'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { challengeOf } from './support/pkce.js'

const minute = 60_000
const ada = { sub: 'ada-1' }
const expired = [401, 'ACCOUNTS_LOGIN_EXPIRED']
const stale = [403, 'ACCOUNTS_CONFIRMATION_REQUIRED']
const html = { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' }
const redirectUri = 'org.example.app:/login'
const paths = { 'log-in': '/login/with/demo/', link: '/identities/demo/', confirm: '/confirm/with/demo/' }
type Purpose = keyof typeof paths

const seconds = (): number => Math.floor(Date.now() / 1000)

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] })
})
afterEach(() => vi.useRealTimers())

/** A service for apps, with two providers of one issuer. */
async function service(
  own: object = {},
  inApps: object = { appRedirectUris: [redirectUri] },
): Promise<DemoApp> {
  const issuer = await startIssuer()
  onTestFinished(() => issuer.close())
  const demo = { name: 'demo', label: 'Demo', issuer: issuer.url, clientId: 'app', clientSecret: 'secret' }
  const list = [
    { ...demo, ...own },
    { ...demo, name: 'other', clientId: 'other' },
  ]
  const features = [providers(list, inApps), secondFactor(), tokens()]
  const accounts = { ...(await testApp({ users: { variant: 'both' }, features })), issuer }
  for (const username of ['alice', 'bob'])
    await accounts.app.accounts.createUser({
      ...{ username, email: `${username}@example.org` },
      ...{ password: goodPassword, isVerified: true },
    })
  return accounts
}

/** Somebody's app. */
async function appOf(accounts: DemoApp, username = 'alice') {
  const app = tokenClient(accounts)
  const verifier = randomBytes(32).toString('base64url')
  const response = await app.send('POST', '/login/', { username, password: goodPassword })
  if (response.statusCode !== 200) throw new Error(response.body)
  const urlOf = (purpose: Purpose, redirect_uri = redirectUri) =>
    `${paths[purpose]}app/?${new URLSearchParams({
      ...{ redirect_uri, state: 'the state', code_challenge_method: 'S256' },
      code_challenge: challengeOf(verifier),
    })}`
  return {
    ...{ app, verifier, urlOf },
    /** What the system browser brings back. */
    async bring(purpose: Purpose, claims: object = ada): Promise<URLSearchParams> {
      const browser = visitor(accounts)
      const location = await browser.start({}, urlOf(purpose))
      const ended = await browser.comeBack(accounts.issuer.logIn(location, { ...claims }))
      expect([ended.statusCode, await browser.who()]).toEqual([303, null])
      expect(ended.headers.location?.startsWith(`${redirectUri}?`)).toBe(true)
      return new URL(String(ended.headers.location)).searchParams
    },
    redeem: (purpose: Purpose, result: URLSearchParams, code_verifier = verifier): Promise<Response> =>
      app.send('POST', purpose === 'log-in' ? '/tokens/' : `${paths[purpose]}code/`, {
        ...{ code: result.get('code') ?? '', code_verifier },
      }),
  }
}

const identitiesOf = async (app: TokenClient): Promise<string[]> =>
  (await app.send('GET', '/identities/')).json().results.map((each: { label: string }) => each.label)

const isRecent = async (app: TokenClient): Promise<boolean> =>
  (await app.send('POST', '/change-email/', { email: 'new@example.org' })).statusCode === 202

describe('an app with tokens', () => {
  it('links in the system browser, which asks first and gets no login', async () => {
    const accounts = await service()
    const { app, urlOf, bring, redeem } = await appOf(accounts)
    const asked = await visitor(accounts).send('GET', urlOf('link'), undefined, html)
    expect([asked.statusCode, asked.cookies]).toEqual([200, []])
    expect(asked.body).toContain('wants to link your account at Demo')
    expect(asked.body).toContain('Continue with Demo')
    const result = await bring('link', { ...ada, email: 'ada@elsewhere.example' })
    expect([...result.keys(), result.get('state')]).toEqual(['code', 'state', 'the state'])
    expect(await identitiesOf(app)).toEqual([])
    expect((await redeem('link', result)).statusCode).toBe(204)
    expect(await identitiesOf(app)).toEqual(['ada@elsewhere.example'])
    expect((await accounts.mail('identity-added')).to.address).toBe('alice@example.org')
    expect((await redeem('log-in', await bring('log-in'))).json().username).toBe('alice')
  })

  it('gets a short URL, however long the names at the provider are', async () => {
    const accounts = await service()
    const { app, bring, redeem } = await appOf(accounts)
    const longest = '名'.repeat(150)
    const claims = { sub: 's'.repeat(255), preferred_username: longest, name: '名'.repeat(10_000) }
    const result = await bring('link', claims)
    expect(`${redirectUri}?${result}`.length).toBeLessThan(2048)
    expect((await redeem('link', result)).statusCode).toBe(204)
    expect(await identitiesOf(app)).toEqual([longest])
    // Only what the owner knows it by.
    const names = { email: `${'a'.repeat(64)}@${'b'.repeat(63)}.example`, name: longest }
    const rest = await bring('link', { ...ada, ...names, preferred_username: longest })
    expect(`${redirectUri}?${rest}`.length).toBeLessThan(1024)
  })

  it('confirms with a linked identity, after a new login at the provider', async () => {
    const accounts = await service()
    const { app, urlOf, bring, redeem } = await appOf(accounts)
    await redeem('link', await bring('link'))
    vi.setSystemTime(Date.now() + 20 * minute)
    await app.refresh()
    expect(await isRecent(app)).toBe(false)
    expect(refusalOf(await redeem('link', await bring('link')))).toEqual(stale)
    const asked = await visitor(accounts).send('GET', urlOf('confirm'), undefined, html)
    expect(asked.body).toContain('asks you to log in with Demo again')
    const location = await visitor(accounts).start({}, urlOf('confirm'))
    expect(new URL(location).searchParams.get('prompt')).toBe('login')
    const confirm = async (claims: object) => redeem('confirm', await bring('confirm', claims))
    const cannot = [400, 'ACCOUNTS_PROVIDER_CANNOT_CONFIRM']
    expect(refusalOf(await confirm(ada))).toEqual(cannot)
    expect(refusalOf(await confirm({ ...ada, auth_time: seconds() - 31 }))).toEqual(cannot)
    const stranger = await confirm({ sub: 'eve-1', auth_time: seconds() })
    expect([...refusalOf(stranger), stranger.json().reason]).toEqual([
      ...[400, 'ACCOUNTS_PROVIDER_REFUSED', 'other_account'],
    ])
    expect(await isRecent(app)).toBe(false)
    // With new tokens.
    expect((await confirm({ ...ada, auth_time: seconds() })).statusCode).toBe(200)
    expect(await isRecent(app)).toBe(true)
  })

  it('is told in the browser that a provider can’t confirm', async () => {
    const accounts = await service()
    accounts.issuer.metadata.claims_supported = ['sub', 'email']
    const { urlOf } = await appOf(accounts)
    const refused = await visitor(accounts).send('POST', urlOf('confirm'))
    expect(refusalOf(refused)).toEqual([400, 'ACCOUNTS_PROVIDER_CANNOT_CONFIRM'])
    expect((await visitor(accounts).send('POST', urlOf('link'))).statusCode).toBe(200)
  })

  it('gets the refusals of a provider and of `allow` in place of a code', async () => {
    const accounts = await service({ allow: ({ subject }: { subject: string }) => subject !== 'eve-1' })
    const { bring, urlOf } = await appOf(accounts)
    for (const purpose of ['link', 'confirm'] as const) {
      expect((await bring(purpose, { sub: 'eve-1' })).get('error_description')).toBe('ACCOUNTS_FORBIDDEN')
      const browser = visitor(accounts)
      const back = accounts.issuer.logIn(await browser.start({}, urlOf(purpose)), ada)
      back.delete('code')
      back.set('error', 'access_denied')
      const { headers } = await browser.comeBack(back)
      expect(headers.location).toContain('error=access_denied&error_description=ACCOUNTS_PROVIDER_REFUSED')
    }
  })

  it('is refused where a browser begins, with the URL that it opens in one', async () => {
    const accounts = await service()
    const { app, urlOf } = await appOf(accounts)
    for (const [purpose, path] of [
      ['log-in', '/login/with/demo/'],
      ['link', '/identities/demo'],
      ['confirm', '/confirm/with/demo/'],
      ['link', urlOf('link')],
    ] as const) {
      // What a provider confirms has to be linked.
      if (purpose === 'confirm') await linkDemo(accounts)
      const refused = await app.send('POST', path, path.includes('?') ? undefined : {})
      expect([...refusalOf(refused), refused.json().reason]).toEqual([
        ...[400, 'ACCOUNTS_INVALID_INPUT', 'needs_browser'],
      ])
      const url = `http://localhost:3000${paths[purpose]}app/`
      expect(refused.json().fields[0].message).toBe(`apps with tokens open ${url} in the system browser`)
      expect([refused.headers.location, refused.headers['accounts-state']]).toEqual([undefined, undefined])
    }
    const german = await app.send('POST', '/login/with/demo/', {}, { 'accept-language': 'de' })
    expect(german.json().message).toBe('Eine App kann Demo nur im Browser des Geräts verwenden.')
    const plain = await service({}, {})
    const unmounted = await (await appOf(plain)).app.send('POST', '/login/with/demo/', {})
    expect(unmounted.json().fields[0].message).toContain('appRedirectUris')
    expect((await visitor(plain).send('GET', urlOf('link'))).statusCode).toBe(404)
  })
})

/** Links the identity of alice. */
async function linkDemo(accounts: DemoApp): Promise<void> {
  const { bring, redeem } = await appOf(accounts)
  expect((await redeem('link', await bring('link'))).statusCode).toBe(204)
}

describe('the code that links or confirms', () => {
  it('is of no use for anything else, at another provider, without its verifier, twice, or after a minute', async () => {
    const accounts = await service()
    await linkDemo(accounts)
    const { app, bring, redeem, verifier } = await appOf(accounts)
    const purposes: Purpose[] = ['log-in', 'link', 'confirm']
    for (const [from, to] of purposes.flatMap((one) => purposes.map((other) => [one, other] as const))) {
      if (from === to) continue
      const result = await bring(from, { ...ada, auth_time: seconds() })
      expect(refusalOf(await redeem(to, result))).toEqual(expired)
      // Which hasn't used it up.
      expect((await redeem(from, result)).statusCode).toBe(from === 'link' ? 204 : 200)
      expect(refusalOf(await redeem(from, result))).toEqual(expired)
    }
    for (const purpose of ['link', 'confirm'] as const) {
      const claims = { sub: `${purpose}-2`, auth_time: seconds() }
      const result = await bring(purpose, claims)
      expect(refusalOf(await redeem(purpose, result, 'x'.repeat(43)))).toEqual(expired)
      const body = { code: result.get('code'), code_verifier: verifier }
      const elsewhere = `${paths[purpose].replace('demo', 'other')}code/`
      expect(refusalOf(await app.send('POST', elsewhere, body))).toEqual(expired)
      const late = await bring(purpose, claims)
      vi.setSystemTime(Date.now() + minute)
      expect(refusalOf(await redeem(purpose, late))).toEqual(expired)
    }
    expect(await identitiesOf(app)).toHaveLength(1)
  })

  it('links nobody’s identity twice', async () => {
    const accounts = await service()
    await linkDemo(accounts)
    const bob = await appOf(accounts, 'bob')
    const taken = await bob.redeem('link', await bob.bring('link'))
    expect(refusalOf(taken)).toEqual([409, 'ACCOUNTS_IDENTITY_TAKEN'])
    const refused = await bob.redeem('confirm', await bob.bring('confirm', { ...ada, auth_time: seconds() }))
    expect(refusalOf(refused)).toEqual([400, 'ACCOUNTS_PROVIDER_REFUSED'])
  })
})
