import { hash, randomUUID } from 'node:crypto'
import { providers } from '@fastify-accounts/providers'
import { goodPassword } from '@fastify-accounts/test-support/app'
import { refusalOf } from '@fastify-accounts/test-support/app-browser'
import { startIssuer, type TestIssuer } from '@fastify-accounts/test-support/providers/issuer'
import { type Visitor, visitor } from '@fastify-accounts/test-support/providers/service'
import type { LightMyRequestResponse as Response } from 'fastify'
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import { cases } from './catalogue.js'
import type { Scene, Service } from './service.js'

const minute = 60_000
const email = 'ada@example.org'
const ada = { sub: 'ada-1', email, email_verified: true, preferred_username: 'ada' }
const expired = [401, 'ACCOUNTS_LOGIN_EXPIRED']
const refused = [400, 'ACCOUNTS_PROVIDER_REFUSED']
const invalid = [400, 'ACCOUNTS_INVALID_INPUT']

let issuer: TestIssuer
let other: TestIssuer
beforeAll(async () => {
  issuer = await startIssuer()
  other = await startIssuer()
})
beforeEach(() => Object.assign(issuer, { twist: {} }))
afterAll(() => Promise.all([issuer.close(), other.close()]))

const redirectUri = 'org.example.app:/login'

/** Stands for another process: shares nothing but the stores. */
function startOn({ start }: Scene, options: Parameters<Scene['start']>[0] = {}): Promise<Service> {
  const client = { clientId: 'web', clientSecret: 'secret', authoritativeFor: ['example.org'] }
  const demo = { name: 'demo', issuer: issuer.url, ...client, appAudiences: ['app'] }
  const apart = { name: 'other', issuer: other.url, ...client }
  return start({
    users: { variant: 'both' },
    features: [providers([demo, apart], { appRedirectUris: [redirectUri, 'http://127.0.0.1/login'] })],
    // The issuer runs in this busy process.
    adapterTimeout: minute,
    ...options,
  })
}

const at = ({ app }: Service): Visitor => visitor({ app, issuer })

/** What the provider's SDK gives to an app. */
function issued(claims: object = ada, audience = 'app'): { id_token: string; nonce: string } {
  const nonce = randomUUID()
  return { id_token: issuer.issue(audience, hash('sha256', nonce, 'hex'), { ...claims }), nonce }
}

/** The last character of a signature of 256 bytes has four unused bits. */
const respelled = (token: string): string =>
  token.slice(0, -1) + { A: 'B', Q: 'R', g: 'h', w: 'x' }[token.slice(-1)]

const verifier = 'v'.repeat(43)
const request = {
  ...{ redirect_uri: redirectUri, state: 'state', code_challenge_method: 'S256' },
  code_challenge: hash('sha256', verifier, 'base64url'),
}
const urlOf = (more: Record<string, string> = {}, path = '/login/with/demo/app/'): string =>
  `${path}?${new URLSearchParams({ ...request, ...more })}`

/** The code that a browser brings to the app. */
async function codeFrom(service: Service, claims: object = ada, path?: string): Promise<string> {
  const browser = at(service)
  const location = await browser.start({}, urlOf({}, path))
  const response = await browser.comeBack(issuer.logIn(location, { ...claims }))
  expect(response.cookies.filter(({ name, value }) => value !== '' && !name.includes('-flow-'))).toEqual([])
  return new URL(String(response.headers.location)).searchParams.get('code') ?? ''
}

const redeem = (service: Service, code: string, code_verifier = verifier): Promise<Response> =>
  at(service).send('POST', '/tokens/', { code, code_verifier })

const statuses = (responses: readonly Response[]): number[] =>
  responses.map(({ statusCode }) => statusCode).sort((one, two) => one - two)

const onMemory = { on: 'memory', because: 'it is rejected before any store is called' } as const

cases('Other providers', ({ rule, storage }) => {
  storage(
    'PRV-40',
    {
      tried:
        'one ID token of an SDK sent twenty times at once to two processes, with its signature spelled in two ways; then to log in, link and confirm',
      expected: 'one login; everything else is 401',
    },
    async (scene) => {
      const services = [await startOn(scene), await startOn(scene)] as const
      const body = issued()
      const other = { ...body, id_token: respelled(body.id_token) }
      const responses = await Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          at(services[n % 2 === 0 ? 0 : 1]).send('POST', '/login/with/demo/token/', n % 4 < 2 ? body : other),
        ),
      )
      expect(statuses(responses)).toEqual([200, ...Array(19).fill(401)])
      const app = at(services[0])
      await app.send('POST', '/login/with/demo/token/', issued({ ...ada, jti: 'another' }))
      for (const path of ['/login/with/demo/token/', '/identities/demo/token/', '/confirm/with/demo/token/'])
        expect(refusalOf(await app.send('POST', path, body))).toEqual(expired)
    },
  )

  rule(
    'PRV-41',
    {
      tried:
        'an ID token of an SDK that is unsigned, signed by a shared secret or another key, of another issuer, for another app or the website, for two, expired, without an end or a nonce, or with another nonce or the nonce itself',
      expected: '400; nobody is signed up',
      ...onMemory,
    },
    async (scene) => {
      const service = await startOn(scene)
      const { id_token, nonce } = issued()
      const now = Math.floor(Date.now() / 1000)
      const digest = hash('sha256', nonce, 'hex')
      const [, body = ''] = id_token.split('.')
      const twisted = (twist: TestIssuer['twist']): string => {
        issuer.twist = twist
        const token = issuer.issue('app', digest, ada)
        issuer.twist = {}
        return token
      }
      const bad = [
        `${Buffer.from('{"alg":"none"}').toString('base64url')}.${body}.`,
        twisted({ header: { alg: 'HS256' } }),
        twisted({ forged: true }),
        other.issue('app', digest, ada),
        issuer.issue('stranger', digest, ada),
        issuer.issue('web', digest, ada),
        issuer.issue('app', digest, { ...ada, aud: ['app', 'stranger'] }),
        issuer.issue('app', digest, { ...ada, exp: now - minute / 1000 }),
        issuer.issue('app', digest, { ...ada, exp: undefined }),
        issuer.issue('app', undefined, ada),
        issuer.issue('app', hash('sha256', 'another', 'hex'), ada),
        issuer.issue('app', nonce, ada),
      ]
      for (const token of bad) {
        const response = await at(service).send('POST', '/login/with/demo/token/', { id_token: token, nonce })
        expect(refusalOf(response)).toEqual(refused)
      }
      expect(await scene.users.findByEmail(email)).toBeNull()
    },
  )

  storage(
    'PRV-42',
    {
      tried:
        'the code of an app sent by another app without its verifier, then twenty times at once to two processes with it',
      expected: 'wrong verifiers are 401 and don’t use it up; one login',
    },
    async (scene) => {
      const services = [await startOn(scene), await startOn(scene)] as const
      const code = await codeFrom(services[0])
      for (const wrong of ['w'.repeat(43), request.code_challenge, `${verifier}v`])
        expect(refusalOf(await redeem(services[1], code, wrong))).toEqual(expired)
      const responses = await Promise.all(
        Array.from({ length: 20 }, (_, n) => redeem(services[n % 2 === 0 ? 0 : 1], code)),
      )
      expect(statuses(responses)).toEqual([200, ...Array(19).fill(401)])
    },
  )

  rule(
    'PRV-43',
    {
      tried:
        'the code of an app after a minute, at another realm on the same stores, after everybody was logged out, and after its identity was removed',
      expected: '401',
    },
    async (scene) => {
      const service = await startOn(scene)
      const staff = await startOn(scene, { session: { cookieName: 'staff' } })
      const alice = { username: 'alice', password: goodPassword, email, isVerified: true }
      const { id } = await service.app.accounts.createUser(alice)
      expect((await redeem(service, await codeFrom(service))).statusCode).toBe(200)
      const elsewhere = await codeFrom(service)
      expect(refusalOf(await redeem(staff, elsewhere))).toEqual(expired)
      const late = await codeFrom(service)
      await scene.wait(minute)
      expect(refusalOf(await redeem(service, late))).toEqual(expired)
      const ended = await codeFrom(service)
      await service.app.accounts.endUserSessions(id)
      expect(refusalOf(await redeem(service, ended))).toEqual(expired)
      const orphan = await codeFrom(service)
      const browser = at(service)
      await browser.logIn()
      const [identity] = (await browser.send('GET', '/identities/')).json().results
      expect((await browser.send('DELETE', `/identities/${identity.id}`)).statusCode).toBe(204)
      expect(refusalOf(await redeem(service, orphan))).toEqual([401, 'ACCOUNTS_INVALID_CREDENTIALS'])
    },
  )

  const elsewhere = {
    'another path': ['org.example.app:/login/', 'http://127.0.0.1:1/other', 'http://127.0.0.1:1/login/..'],
    'another scheme or host': [
      'org.example.evil:/login',
      'https://127.0.0.1/login',
      'http://localhost/login',
    ],
    'a port that is none': [
      'http://127.0.0.1:0/login',
      'http://127.0.0.1:/login',
      'http://127.0.0.1:99999/login',
    ],
    credentials: ['http://127.0.0.1:1@evil.example/login', 'http://a:b@127.0.0.1/login'],
    'a fragment': ['org.example.app:/login#', 'http://127.0.0.1/login#x'],
    'another case': ['ORG.example.app:/login', 'org.example.app:/LOGIN'],
    'a query': ['org.example.app:/login?x', 'http://127.0.0.1/login?x'],
  }
  rule(
    'PRV-44',
    {
      tried: `a login in an app with a redirect URI with ${Object.keys(elsewhere).join(', ')}; without a challenge, or with a plain one`,
      expected: '400 on a page, and no redirect; on loopback any port is accepted',
      ...onMemory,
    },
    async (scene) => {
      const browser = at(await startOn(scene))
      const html = { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' }
      const wrong = Object.values(elsewhere)
        .flat()
        .map((redirect_uri) => urlOf({ redirect_uri }))
      const missing = urlOf().replace(/code_challenge=[^&]*/, '')
      for (const url of [
        ...wrong,
        missing,
        urlOf({ code_challenge_method: 'plain' }),
        urlOf({ code_challenge: '' }),
      ])
        for (const method of ['GET', 'POST'] as const) {
          const { statusCode, headers } = await browser.send(method, url, undefined, html)
          expect([url, statusCode, headers.location, headers.refresh]).toEqual([
            url,
            400,
            undefined,
            undefined,
          ])
          expect(refusalOf(await browser.send(method, url))).toEqual(invalid)
        }
      const open = await browser.send('POST', urlOf({ redirect_uri: 'http://127.0.0.1:49152/login' }))
      expect(open.statusCode).toBe(200)
    },
  )

  rule(
    'PRV-45',
    {
      tried:
        'a script on a site with cookies that begins a login of an app and reads the code at its end: a redirect URI on the origin of `baseUrl`, on a trusted one, and on loopback at the port of the site',
      expected: 'the start fails with one line that names the option and the URI; on loopback, 400',
      ...onMemory,
    },
    async (scene) => {
      const startAt = (baseUrl: string, trustedOrigins: string[], uri: string) => {
        const demo = { name: 'demo', issuer: issuer.url, clientId: 'web', clientSecret: 'secret' }
        const features = [providers([demo], { appRedirectUris: [redirectUri, uri] })]
        return scene.start({ baseUrl, trustedOrigins, features })
      }
      const site = 'https://accounts.example.org'
      const web = 'https://app.example.org'
      for (const uri of [`${site}/login`, `${web}/login?from=web`]) {
        const message = await startAt(site, [web], uri).then(String, (error: Error) => error.message)
        expect(message).toMatch(
          /^@fastify-accounts\/providers: appRedirectUris must not be on the origin [^\n]+$/,
        )
        expect(message).toContain(`got '${uri}'`)
      }
      await startAt(site, [web], 'https://links.example.org/login')
      const local = await startAt(
        'http://127.0.0.1:4000',
        ['http://127.0.0.1:5000'],
        'http://127.0.0.1/login',
      )
      const begin = (port: number) =>
        at(local).send('POST', urlOf({ redirect_uri: `http://127.0.0.1:${port}/login` }))
      for (const port of [4000, 5000]) expect(refusalOf(await begin(port))).toEqual(invalid)
      expect((await begin(4001)).statusCode).toBe(200)
    },
  )

  rule(
    'PRV-46',
    {
      tried:
        'a script on a site with cookies that begins a login of an app with a challenge of its own, and says whose the account is: kept with its password, or started afresh; as a form, and as JSON',
      expected:
        'no response that it can read has a code or leads to one: the person logs in again in the app; the identity is linked',
    },
    async (scene) => {
      const service = await startOn(scene)
      const answers = [{ password: goodPassword }, { start_afresh: true }]
      const accepted = ['text/html', 'application/json']
      for (const [n, [answer, accept]] of answers
        .flatMap((one) => accepted.map((type) => [one, type] as const))
        .entries()) {
        const claims = { sub: `claim-${n}`, email: `claim-${n}@example.org`, email_verified: true }
        const alice = { username: `alice${n}`, password: goodPassword, email: claims.email }
        await service.app.accounts.createUser(alice)
        await at(service).logIn(alice.username)
        const browser = at(service)
        const asked = await browser.comeBack(issuer.logIn(await browser.start({}, urlOf()), claims))
        expect([asked.statusCode, asked.headers.location]).toEqual([303, '/login/claim/'])
        const { statusCode, headers, body } = await browser.send('POST', '/login/claim/', answer, { accept })
        expect([statusCode, headers.location, headers.refresh]).toEqual([202, undefined, undefined])
        expect(body).not.toMatch(/code=|org\.example\.app/)
        expect((await redeem(service, await codeFrom(service, claims))).json().email).toBe(claims.email)
      }
    },
  )

  rule(
    'PRV-47',
    {
      tried:
        'an app that sends the code of a login to link or confirm with it, one that links to log in or confirm, and one that confirms to log in or link; one that links from another account than the identity’s',
      expected: '401, and the code stays good for its own purpose; 409',
    },
    async (scene) => {
      const service = await startOn(scene)
      const owner = at(service)
      await owner.logInWith(ada)
      const routes = {
        '/login/with/demo/app/': '/tokens/',
        '/identities/demo/app/': '/identities/demo/code/',
        '/confirm/with/demo/app/': '/confirm/with/demo/code/',
      }
      const claims = () => ({ ...ada, auth_time: Math.floor(Date.now() / 1000) })
      for (const [start, own] of Object.entries(routes)) {
        const body = { code: await codeFrom(service, claims(), start), code_verifier: verifier }
        for (const path of Object.values(routes))
          if (path !== own) expect(refusalOf(await owner.send('POST', path, body))).toEqual(expired)
        expect((await owner.send('POST', own, body)).statusCode).toBeLessThan(300)
      }
      const stranger = at(service)
      await stranger.logInWith({ sub: 'eve-1', email: 'eve@example.org', email_verified: true })
      const code = await codeFrom(service, claims(), '/identities/demo/app/')
      const taken = await stranger.send('POST', '/identities/demo/code/', { code, code_verifier: verifier })
      expect(refusalOf(taken)).toEqual([409, 'ACCOUNTS_IDENTITY_TAKEN'])
    },
  )

  rule(
    'PRV-48',
    {
      tried:
        'a link to /identities/{provider}/app/ with a challenge of an attacker’s, opened by somebody who is logged in, who presses its button; then every request that their browser can make with the code',
      expected: 'nothing is linked with their account, nor with the attacker’s, who has no code',
    },
    async (scene) => {
      const service = await startOn(scene)
      const owner = at(service)
      await owner.logInWith(ada)
      const location = await owner.start({}, urlOf({}, '/identities/demo/app/'))
      const ended = await owner.comeBack(issuer.logIn(location, { sub: 'ada-2' }))
      // It leads out of the browser, to the app that has the URI.
      expect(ended.headers.location).toMatch(/^org\.example\.app:/)
      const code = new URL(String(ended.headers.location)).searchParams.get('code') ?? ''
      for (const code_verifier of ['w'.repeat(43), request.code_challenge]) {
        const response = await owner.send('POST', '/identities/demo/code/', { code, code_verifier })
        expect(refusalOf(response)).toEqual(expired)
      }
      expect((await owner.send('GET', '/identities/')).json().results).toHaveLength(1)
    },
  )
})
