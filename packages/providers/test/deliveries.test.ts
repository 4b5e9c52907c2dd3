import { hash, randomUUID } from 'node:crypto'
import { goodPassword, linkPath } from '@fastify-accounts/test-support/app'
import { refusalOf } from '@fastify-accounts/test-support/app-browser'
import { type DemoApp, demoApp, visitor } from '@fastify-accounts/test-support/providers/service'
import { codeOf, enroll } from '@fastify-accounts/test-support/second-factor'
import { deliveredBy, type TokenClient, tokenClient } from '@fastify-accounts/test-support/tokens'
import type { LightMyRequestResponse as Response } from 'fastify'
import { type AccountsOptions, secondFactor, tokens } from 'fastify-accounts'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { challengeOf } from './support/pkce.js'

const email = 'ada@example.org'
const ada = { sub: 'ada-1', email, email_verified: true, preferred_username: 'ada' }
const verifier = 'a verifier of the app'.replaceAll(' ', '-').padEnd(43, 'x')
const redirectUri = 'org.example.app:/login'
const appPath = `/login/with/demo/app/?${new URLSearchParams({
  ...{ redirect_uri: redirectUri, state: 'state', code_challenge_method: 'S256' },
  code_challenge: challengeOf(verifier),
})}`

afterEach(() => vi.useRealTimers())

const service = (own: object = {}, options: Partial<AccountsOptions> = {}): Promise<DemoApp> =>
  demoApp(
    { appAudiences: ['ios-app'], authoritativeFor: true, ...own },
    options,
    {},
    [tokens(), secondFactor()],
    {
      appRedirectUris: [redirectUri],
    },
  )

/** What a provider's SDK gives to an app. */
function issued({ issuer }: DemoApp, claims: object = ada): { id_token: string; nonce: string } {
  const nonce = randomUUID()
  return { id_token: issuer.issue('ios-app', hash('sha256', nonce, 'hex'), { ...claims }), nonce }
}

const logIn = (app: TokenClient, accounts: DemoApp, claims?: object): Promise<Response> =>
  app.send('POST', '/login/with/demo/token/', issued(accounts, claims))

/** What the system browser brings back to the app. */
async function codeFor(accounts: DemoApp): Promise<{ code: string; code_verifier: string }> {
  const browser = visitor(accounts)
  const { headers } = await browser.comeBack(accounts.issuer.logIn(await browser.start({}, appPath), ada))
  return { code: new URL(String(headers.location)).searchParams.get('code') ?? '', code_verifier: verifier }
}

async function expectLoggedIn(app: TokenClient, response: Response, status = 200): Promise<void> {
  expect([response.statusCode, response.headers['set-cookie']]).toEqual([status, undefined])
  expect(deliveredBy(response)).toMatchObject({ token_type: 'Bearer' })
  expect((await app.send('GET', '/me/')).json().email).toBe(email)
  expect((await app.refresh()).statusCode).toBe(200)
}

describe('an app that asks for tokens gets them', () => {
  it('for an ID token of an SDK, and confirms and links with others', async () => {
    const accounts = await service()
    const app = tokenClient(accounts, 'Phone')
    await expectLoggedIn(app, await logIn(app, accounts))
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60 * 60_000 })
    expect((await app.refresh()).statusCode).toBe(200)
    const link = () => app.send('POST', '/identities/demo/token/', issued(accounts, { sub: 'ada-2' }))
    expect(refusalOf(await link())).toEqual([403, 'ACCOUNTS_CONFIRMATION_REQUIRED'])
    const auth_time = Math.floor(Date.now() / 1000)
    const confirmed = await app.send(
      'POST',
      '/confirm/with/demo/token/',
      issued(accounts, { ...ada, auth_time }),
    )
    await expectLoggedIn(app, confirmed)
    vi.setSystemTime(Date.now() + 1000)
    expect((await link()).statusCode).toBe(204)

    // A thief of the access token may have linked it.
    const { refresh_token: _, ...stolen } = app.tokens ?? {}
    const thief = Object.assign(tokenClient(accounts), { tokens: stolen })
    const confirm = (sub: string) =>
      thief.send('POST', '/confirm/with/demo/token/', issued(accounts, { ...ada, sub, auth_time }))
    const refused = await confirm('ada-2')
    expect([...refusalOf(refused), refused.json().reason]).toEqual([
      ...[403, 'ACCOUNTS_CONFIRMATION_REQUIRED', 'just_added'],
    ])
    await expectLoggedIn(thief, await confirm(ada.sub))
  })

  it('for the code that the system browser brings', async () => {
    const accounts = await service()
    const app = tokenClient(accounts)
    const response = await app.send('POST', '/tokens/', await codeFor(accounts))
    expect(response.json()).toMatchObject({ username: 'ada' })
    await expectLoggedIn(app, response)
  })

  it('for a second factor after either, whose first step waits in its state', async () => {
    const accounts = await service()
    const browser = visitor(accounts)
    await browser.logInWith(ada)
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const { secret } = await enroll(accounts, cookie)
    let step = 0
    for (const start of [
      logIn,
      async (app: TokenClient) => app.send('POST', '/tokens/', await codeFor(accounts)),
    ]) {
      const app = tokenClient(accounts)
      expect(refusalOf(await start(app, accounts))).toEqual([401, 'ACCOUNTS_SECOND_FACTOR_REQUIRED'])
      expect(app.state).not.toBe('')
      step += 1
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + step * 60_000 })
      await expectLoggedIn(app, await app.send('POST', '/login/second-factor/', { code: codeOf(secret) }))
      vi.useRealTimers()
    }
  })

  it('for the emailed link that reaches it', async () => {
    const accounts = await service({ authoritativeFor: [] })
    const app = tokenClient(accounts)
    expect((await logIn(app, accounts)).statusCode).toBe(202)
    const path = linkPath(await accounts.mail('identity-sign-up'))
    expect(refusalOf(await tokenClient(accounts).send('POST', path))).toEqual([400, 'ACCOUNTS_OTHER_BROWSER'])
    await expectLoggedIn(app, await app.send('POST', path))
  })

  it('unless more has to be kept for a new user than fits', async () => {
    const own = { authoritativeFor: [], fields: () => ({ note: 'n'.repeat(1500) }) }
    const users = {
      variant: 'both',
      fields: { type: 'object', properties: { note: { type: 'string' } } },
    } as const
    const accounts = await service(own, { users })
    expect((await visitor(accounts).logInWith(ada)).statusCode).toBe(202)
    const app = tokenClient(accounts)
    const other = { sub: 'bob-1', email: 'bob@example.org' }
    expect(refusalOf(await logIn(app, accounts, other))).toEqual([400, 'ACCOUNTS_INVALID_INPUT'])
    expect([await accounts.users.findByEmail(other.email), app.state]).toEqual([null, ''])
  })

  it.each([
    ['kept', { password: goodPassword }],
    ['left', { start_afresh: true }],
  ])('for saying whose an account is, which is %s', async (_, answer) => {
    const accounts = await service()
    await accounts.app.accounts.createUser({ username: 'alice', password: goodPassword, email })
    await visitor(accounts).logIn()
    const app = tokenClient(accounts)
    expect(refusalOf(await logIn(app, accounts))).toEqual([403, 'ACCOUNTS_NOT_VERIFIED'])
    expect((await app.send('GET', '/login/claim/')).json().email).toBe(email)
    await expectLoggedIn(app, await app.send('POST', '/login/claim/', answer))
  })
})

it('never shows an app a page, nor turns a browser’s flow into tokens', async () => {
  const accounts = await service()
  const app = tokenClient(accounts)
  const page = await app.send('GET', appPath, undefined, { accept: 'text/html' })
  expect([page.statusCode, page.json()]).toEqual([200, { provider: 'Demo' }])
  const browser = visitor(accounts)
  const parameters = accounts.issuer.logIn(await browser.start({}, appPath), ada)
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const stolen = await app.send('GET', `/login/with/demo/callback/?${parameters}`, undefined, { cookie })
  expect(refusalOf(stolen)).toEqual([401, 'ACCOUNTS_LOGIN_EXPIRED'])
})
