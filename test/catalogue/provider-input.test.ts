import { type Provider, providers } from '@fastify-accounts/providers'
import { goodPassword, linkPath } from '@fastify-accounts/test-support/app'
import { refusalOf } from '@fastify-accounts/test-support/app-browser'
import { times } from '@fastify-accounts/test-support/depth'
import { startIssuer, type TestIssuer } from '@fastify-accounts/test-support/providers/issuer'
import { type Visitor, visitor } from '@fastify-accounts/test-support/providers/service'
import { type Processes, startProcesses } from '@fastify-accounts/test-support/race-processes'
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import { cases } from './catalogue.js'
import type { Scene, Service } from './service.js'
import { keeping, type TokenErrand, type tasks } from './token-process.js'

const minute = 60_000
const ada = { sub: 'ada-1', email: 'ada@example.org', email_verified: true, preferred_username: 'ada' }
const invalid = [400, 'ACCOUNTS_INVALID_INPUT']
const refused = [400, 'ACCOUNTS_PROVIDER_REFUSED']

let issuer: TestIssuer
let metadata: TestIssuer['metadata']
let processes: Promise<Processes<keyof typeof tasks, TokenErrand>> | undefined
beforeAll(async () => {
  issuer = await startIssuer()
  metadata = issuer.metadata
})
beforeEach(() => Object.assign(issuer, { metadata: { ...metadata }, twist: {}, refreshes: false }))
afterAll(async () => {
  await issuer.close()
  await (await processes)?.stop()
})

const startOn = (
  { start }: Scene,
  own: Partial<Provider> = {},
  options: Parameters<Scene['start']>[0] = {},
): Promise<Service> => {
  const demo = { name: 'demo', issuer: issuer.url, clientId: 'app', clientSecret: 'secret', ...own }
  // The issuer runs in this busy process.
  return start({
    users: { variant: 'both' },
    features: [providers([demo])],
    adapterTimeout: minute,
    ...options,
  })
}

const at = ({ app }: Service): Visitor => visitor({ app, issuer })

const onMemory = { on: 'memory', because: 'it is rejected before any store is called' } as const

cases('Other providers', ({ rule, storage }) => {
  const odd = {
    'another host': ['//evil.example', '///evil.example', 'https://evil.example', 'http:evil.example'],
    'another scheme': ['javascript:alert(1)', 'data:text/html,x'],
    'another host after normalization': ['/..//evil.example', '/.//evil.example', '/x/../..//evil.example'],
    credentials: ['http://localhost:3000@evil.example', 'http://a:b@localhost:3000/'],
    'a backslash': ['/\\evil.example', '\\\\evil.example', '/a\\b', '/a?b\\c'],
    'an encoded backslash': ['/%5cevil.example', '/%5Cevil.example', '/a%5cb', '/%255cevil.example'],
    'a control character': [
      '/\t/evil.example',
      '/a\nb',
      '/\0',
      '/a\x7f',
      '/a\u0085b',
      ' /a',
      '\t/a',
      '/a?b\tc',
    ],
    'an encoded control character': [
      '/%09/evil.example',
      '/a%0d%0ab',
      '/%00',
      '/%7f',
      '/a%C2%85b',
      '/%2509/a',
    ],
    'an encoded slash at the start': ['/%2f/evil.example', '/%2Fevil.example', '/%252fevil.example'],
    'the same on the origin': [
      'http://localhost:3000//evil.example',
      'http://localhost:3000/%09/evil.example',
    ],
  }
  rule(
    'PRV-31',
    {
      tried: `\`next\` with ${Object.keys(odd).join('; ')}`,
      expected: '400 before the flow starts; encoded text in other places passes',
      ...onMemory,
    },
    async (scene) => {
      const service = await startOn(scene)
      for (const next of Object.values(odd).flat()) {
        const response = await service.send('POST', '/login/with/demo/', { next })
        expect([next, ...refusalOf(response), response.cookies]).toEqual([next, ...invalid, []])
      }
      for (const next of ['/a%2fb', '/%20a', '/caf%C3%A9', '/é', '/a?b=%0A%5C//c#//d', '/a//b'])
        expect([next, (await at(service).send('POST', '/login/with/demo/', { next })).statusCode]).toEqual([
          next,
          200,
        ])
    },
  )

  rule(
    'PRV-32',
    {
      tried:
        'a sign-up that must wait for the address to be proven, with `fields` of 3,000 characters, or of fewer beside the longest `next`, for an unknown address and for that of an account',
      expected:
        '400, the same for both, and nothing is left: no account, email or cookie; what fits signs up',
    },
    async (scene) => {
      const bio = (length: number): Partial<Provider> => ({ fields: () => ({ bio: 'b'.repeat(length) }) })
      const fields = { type: 'object', properties: { bio: { type: 'string' } } } as const
      const users = { variant: 'both', fields } as const
      const service = await startOn(scene, bio(3000), { users })
      const alice = {
        username: 'alice',
        password: goodPassword,
        email: 'alice@example.org',
        isVerified: true,
      }
      await service.app.accounts.createUser(alice)
      const next = `/${'n'.repeat(900)}`
      const long = await startOn(scene, bio(1800), { users })
      for (const [each, body] of [
        [service, {}],
        [long, { next }],
      ] as const) {
        for (const email of ['nobody@example.org', alice.email]) {
          const response = await at(each).logInWith({ sub: email, email }, body)
          expect(refusalOf(response)).toEqual(invalid)
          expect(response.cookies.filter(({ value }) => value !== '')).toEqual([])
        }
      }
      expect((await scene.users.list({ limit: 9 })).map(({ username }) => username)).toEqual(['alice'])
      expect([...service.mails, ...long.mails]).toEqual([])
      const newcomer = at(long)
      const email = 'nobody@example.org'
      expect((await newcomer.logInWith({ sub: email, email })).statusCode).toBe(202)
      const link = linkPath(await long.mail('identity-sign-up', email))
      expect((await newcomer.send('POST', link)).json().bio).toHaveLength(1800)
    },
  )

  rule(
    'PRV-33',
    {
      tried:
        '`error` in the browser’s own query at the callback: every code, `server_error` and `temporarily_unavailable` as well, invented and overlong ones, with descriptions that forge log lines and terminal codes',
      expected: '400, no outage and no error in the log; its text is shortened there and can forge nothing',
      ...onMemory,
    },
    async (scene) => {
      const service = await startOn(scene)
      const description = `"}\n{"level":60,"msg":"forged"}\u001b[31m${'long '.repeat(100)}`
      const codes = ['server_error', 'temporarily_unavailable', 'invalid_scope', 'access_denied', 'My Error!']
      for (const error of [...codes, 'x'.repeat(2000)]) {
        const browser = at(service)
        const state = new URL(await browser.start()).searchParams.get('state') ?? ''
        const query = new URLSearchParams({ error, error_description: description, state, iss: issuer.url })
        expect([error, ...refusalOf(await browser.comeBack(query))]).toEqual([error, ...refused])
      }
      const text = scene.log.text()
      expect(text).toContain('server_error')
      for (const each of ['"level":50', '\\"msg', '\\u001b', 'My Error!', 'x'.repeat(50), 'long '.repeat(25)])
        expect(text).not.toContain(each)
    },
  )

  rule(
    'PRV-34',
    {
      tried: 'a discovery document of another issuer: a slash at the end, an internal host',
      expected:
        '500 `ACCOUNTS_PROVIDER_MISCONFIGURED`, never an outage; the log names both issuers, the response neither',
      ...onMemory,
    },
    async (scene) => {
      const service = await startOn(scene)
      for (const announced of [`${issuer.url}/realm/`, 'http://keycloak:8080/realm']) {
        issuer.metadata.issuer = announced
        const response = await service.send('POST', '/login/with/demo/', {})
        expect(refusalOf(response)).toEqual([500, 'ACCOUNTS_PROVIDER_MISCONFIGURED'])
        for (const each of [announced, issuer.url]) {
          expect(response.body).not.toContain(each)
          expect(scene.log.text()).toContain(each)
        }
      }
      issuer.metadata.issuer = issuer.url
      expect((await service.send('POST', '/login/with/demo/', {})).statusCode).toBe(200)
    },
  )

  storage(
    'PRV-35',
    {
      tried: 'tokens of a provider that are about to expire, requested from two processes at once',
      expected: 'each refresh token is sent once; both processes get the new tokens',
    },
    async (scene) => {
      issuer.refreshes = true
      issuer.twist.tokens = { expires_in: 30 }
      const features = [keeping(issuer.url), keeping(issuer.url)] as const
      const options = (feature: (typeof features)[number]) => ({
        features: [feature],
        users: { variant: 'both' } as const,
      })
      const service = await startOn(scene, {}, options(features[0]))
      await startOn(scene, {}, options(features[1]))
      const users = times({ quick: 8, full: 25 })
      const ids: string[] = []
      for (let n = 0; n < users; n += 1) {
        const browser = at(service)
        await browser.logInWith({ ...ada, sub: `user-${n}`, email: `user-${n}@example.org` })
        ids.push((await browser.send('GET', '/me/')).json().id)
      }
      issuer.twist.tokens = { expires_in: 3600 }
      const before = issuer.asked.get('/token') ?? 0
      const inThisProcess = (feature: (typeof features)[number]) =>
        Promise.all(ids.map(async (id) => (await feature.tokensOf(id, 'demo'))?.accessToken))
      const race = async ({ place, prefix }: Scene): Promise<unknown[][]> => {
        if (place === undefined) return Promise.all(features.map(inThisProcess))
        processes ??= startProcesses(new URL('token-process.ts', import.meta.url), 2)
        const errand = { place, issuer: issuer.url, ids, ...(prefix && { prefix }) }
        return (await processes).race('ask', errand)
      }
      const [one, other] = await race(scene)
      expect(new Set(one).size).toBe(ids.length)
      expect(other).toEqual(one)
      expect(await inThisProcess(features[0])).toEqual(one)
      expect(issuer.asked.get('/token')).toBe(before + ids.length)
    },
  )
})

cases('Logging', ({ rule }) => {
  rule(
    'LGG-06',
    {
      tried:
        'a provider that quotes everything it is sent, in short and long errors: form, header, code, verifier, client secret, refresh token; and one whose address has a key in its query',
      expected: 'none of it is in the log or in the error that the app gets; the texts are shortened',
    },
    async (scene) => {
      const clientSecret = 'a secret/of+this client & more'
      for (const clientAuth of ['client_secret_post', 'client_secret_basic'] as const) {
        issuer.refreshes = true
        issuer.twist = { tokens: { expires_in: 30 } }
        let ask: string | undefined
        const own = {
          ...({ clientSecret, clientAuth, keepTokens: true, authoritativeFor: true } as const),
          async profile({ get }) {
            if (ask !== undefined) await get(ask)
            return {}
          },
        } satisfies Partial<Provider>
        const demo = { name: 'demo', issuer: issuer.url, clientId: 'app', ...own }
        const feature = providers([demo])
        const service = await startOn(scene, {}, { features: [feature] })
        const browser = at(service)
        await browser.logInWith(ada)
        const { id } = (await browser.send('GET', '/me/')).json()
        const seen: string[] = []
        const padding = ['', 'x'.repeat(100_000)]
        const quotes = padding.flatMap((long) => [
          (all: string) => ({ error: 'invalid_request', error_description: `${all} ${long}` }),
          (all: string) => ({ error: `${all} ${long}`, error_description: 'no' }),
          (all: string) => ({ error: 'server_error', error_description: `${long} ${all}` }),
        ])
        for (const quote of quotes) {
          issuer.twist = {
            token(response, { headers, body }) {
              for (const value of [...new URLSearchParams(body).values(), headers.authorization?.slice(6)])
                if (value !== undefined && value.length > 20) seen.push(value)
              const text = JSON.stringify(
                quote(`${JSON.stringify(headers)} ${body} ${new URLSearchParams(body)}`),
              )
              response.writeHead(400, { 'content-type': 'application/json' }).end(text)
            },
          }
          const parameters = issuer.logIn(await browser.start(), ada)
          parameters.set('code', `a-code-that-is-long-enough-${seen.length}`)
          expect((await browser.comeBack(parameters)).statusCode).toBeOneOf([400, 503])
          const error = await feature.tokensOf(id, 'demo').catch(({ cause }: Error) => String(cause))
          for (const each of [...seen, clientSecret]) expect(error).not.toContain(each)
        }
        issuer.twist = {}
        ask = `${issuer.url}/user?key=a-key-in-the-query`
        expect(refusalOf(await browser.logInWith(ada))).toEqual(refused)
        const text = scene.log.text()
        expect(seen.length).toBeGreaterThan(10)
        for (const each of [...seen, clientSecret, 'a-key-in-the-query', 'x'.repeat(600)]) {
          // An address that everybody knows.
          if (each.startsWith('http://localhost')) continue
          expect(text).not.toContain(each)
          expect(text).not.toContain(encodeURIComponent(each))
        }
      }
    },
  )
})
