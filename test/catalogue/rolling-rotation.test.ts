import { createAccountsClient, type StoredTokens } from '@fastify-accounts/client'
import { providers } from '@fastify-accounts/providers'
import { ordersOf, scopes, withKey } from '@fastify-accounts/test-support/api-keys'
import { goodPassword, linkPath, secret as old, otherPassword } from '@fastify-accounts/test-support/app'
import { type AppBrowser, appBrowser } from '@fastify-accounts/test-support/app-browser'
import { codeIn } from '@fastify-accounts/test-support/email-code'
import { startIssuer } from '@fastify-accounts/test-support/providers/issuer'
import { visitor } from '@fastify-accounts/test-support/providers/service'
import { codeOf } from '@fastify-accounts/test-support/second-factor'
import { read } from '@fastify-accounts/test-support/source'
import { tokenClient } from '@fastify-accounts/test-support/tokens'
import type { InjectOptions } from 'fastify'
import { apiKeys, type MailKind, secondFactor, tokens } from 'fastify-accounts'
import { afterAll, beforeAll, expect } from 'vitest'
import { cases } from './catalogue.js'
import { choice } from './passwords.js'
import type { Scene, Service } from './service.js'

const minute = 60_000
const secrets: Record<string, string> = { old, new: 'bmV3LXNlY3JldC1vZi1lbm91Z2gtYnl0ZXMtZm9yLWEtdGVzdA' }

let issuer: Awaited<ReturnType<typeof startIssuer>>
beforeAll(async () => {
  issuer = await startIssuer()
})
afterAll(() => issuer.close())

/** The lists of secrets that the page gives to all processes, one after the other, as in `[old, new]`. */
function listsOnPage(): string[][] {
  const [, section = ''] = /^## Rotating the secret\n(.*?)^## /ms.exec(read('docs/deployment.md')) ?? []
  const lists = [...section.matchAll(/^\d\. .*?`\[([^\]`]+)\]`/gm)].map(([, list = '']) => list.split(', '))
  expect(lists.length).toBeGreaterThan(1)
  return [['old'], ...lists]
}

/** A process of the service. */
const startOn = ({ start }: Pick<Scene, 'start'>, names: readonly string[]): Promise<Service> =>
  start(
    {
      secret: names.map((name) => secrets[name] ?? name),
      users: { variant: 'both' },
      login: { emailCode: true },
      requireEmailConfirmation: true,
      adapterTimeout: 600_000,
      features: [
        tokens(),
        secondFactor(),
        apiKeys({ scopes }),
        providers([{ name: 'demo', issuer: issuer.url, clientId: 'app', clientSecret: 'secret' }]),
      ],
    },
    { before: ordersOf },
  )

/** Two processes behind a load balancer that sends every other request to each. */
interface Balanced extends Pick<Service, 'send'> {
  app: Pick<Service['app'], 'inject'>
  /** The newest email of this kind, which the process sent that got the last request. */
  mail(kind: MailKind, address: string): ReturnType<Service['mail']>
}

function balance(one: Service, other: Service): Balanced {
  let last = other
  const next = (): Service => {
    last = last === one ? other : one
    return last
  }
  return {
    app: {
      inject: ((...given: Parameters<Service['app']['inject']>) =>
        next().app.inject(...given)) as Service['app']['inject'],
    },
    send: (...given) => next().send(...given),
    mail: (kind, address) => last.mail(kind, address),
  }
}

/** The same request at both processes. */
async function atBoth(browser: AppBrowser, url: string): Promise<number[]> {
  const statuses = []
  for (let n = 0; n < 2; n += 1) statuses.push((await browser.send('GET', url)).statusCode)
  return statuses
}

const ok = (status: number, response: { statusCode: number; body: string }) =>
  expect([response.statusCode, response.body]).toEqual([status, response.body])

/** A newcomer does everything that one process signs and another reads. */
async function useEverything(service: Balanced, name: string): Promise<void> {
  const email = `${name}@example.org`
  const credentials = { username: name, password: goodPassword }
  const browser = appBrowser(service as never)
  // The sign-up cookie and the link.
  ok(202, await browser.send('POST', '/signup/', { ...credentials, email, confirm_password: goodPassword }))
  const verify = linkPath(await service.mail('verify-email', email))
  ok(200, await browser.send('GET', verify))
  ok(200, await browser.send('POST', verify))
  // The session cookie.
  ok(200, await browser.send('POST', '/login/', credentials))
  expect(await atBoth(browser, '/me/')).toEqual([200, 200])
  // A cursor.
  const page = await browser.send('GET', '/user/?limit=1')
  ok(
    200,
    await browser.send('GET', new URL(page.json().next).href.replace(new URL(page.json().next).origin, '')),
  )
  // An API key.
  const key = (await browser.send('POST', '/api-keys/', { name: 'CI', scopes: ['orders:read'] })).json().key
  for (let n = 0; n < 2; n += 1) ok(200, await service.send('GET', '/orders', undefined, withKey(key)))
  // An emailed code.
  const other = appBrowser(service as never)
  ok(202, await other.send('POST', '/login/code/', { email }))
  const code = codeIn(await service.mail('login-code', email))
  ok(200, await other.send('POST', '/login/code/confirm/', { code }))
  // Tokens, and their refresh.
  const app = tokenClient(service)
  ok(200, await app.send('POST', '/login/', credentials))
  for (let n = 0; n < 3; n += 1) {
    ok(200, await app.send('GET', '/me/'))
    ok(200, await app.refresh())
  }
  // The token of an enrollment, a sealed secret.
  const begun = (await browser.send('POST', '/second-factor/totp/')).json()
  const confirmed = await browser.send('POST', '/second-factor/totp/confirm/', {
    ...{ code: codeOf(begun.secret, -1), token: begun.token },
  })
  ok(200, confirmed)
  // A pending login and a remembered device, in cookies.
  ok(204, await browser.send('POST', '/logout/'))
  ok(401, await browser.send('POST', '/login/', credentials))
  const given = { code: codeOf(begun.secret), remember_device: true }
  ok(200, await browser.send('POST', '/login/second-factor/', given))
  ok(204, await browser.send('POST', '/logout/'))
  ok(200, await browser.send('POST', '/login/', credentials))
  // A pending login in the state header.
  const late = tokenClient(service)
  ok(401, await late.send('POST', '/login/', credentials))
  const [recovery] = confirmed.json().recovery_codes
  ok(200, await late.send('POST', '/login/second-factor/', { code: recovery }))
  // A login at a provider.
  const claims = { sub: `sub-${name}`, email: `${name}@example.net`, email_verified: true }
  const { statusCode } = await visitor({ app: service.app as Service['app'], issuer }).logInWith(claims)
  expect(statusCode).toBe(202)
  ok(200, await service.send('GET', linkPath(await service.mail('identity-sign-up', claims.email))))
  // A link to reset.
  ok(202, await service.send('POST', '/forgot/', { email }))
  const reset = linkPath(await service.mail('reset-password', email))
  ok(200, await service.send('GET', reset))
  ok(204, await service.send('POST', reset, choice(otherPassword)))
}

cases('Rotation of secrets', ({ storage }) => {
  storage(
    'ROT-07',
    {
      tried:
        'a rotation of `secret` by the lists of docs/deployment.md, two processes restarted one after the other, while clients alternate between them: cookies of sessions, sign-ups, devices and pending logins, links, codes, cursors, API keys, tokens, states, sealed factors, logins at a provider; and the shipped client from beginning to end',
      expected: 'nothing that one process signs is refused by the other, and nobody is logged out',
      on: ['memory', 'PostgreSQL'],
      because: 'a store knows nothing of secrets',
    },
    async (scene) => {
      // Holds the clock: codes of two steps follow each other.
      await scene.wait(0)
      const lists = listsOnPage()
      let [one, other] = [await startOn(scene, ['old']), await startOn(scene, ['old'])]
      let service = balance(one, other)
      await one.app.accounts.createUser({
        username: 'ada',
        email: 'ada@example.org',
        password: goodPassword,
        isVerified: true,
      })
      const ada = { username: 'ada', password: goodPassword }

      /** What a client keeps through the whole rotation, wherever its requests go. */
      const through = {
        inject: ((request: InjectOptions) => service.app.inject(request)) as Service['app']['inject'],
      }
      const browser = appBrowser({ app: through as Service['app'] })
      ok(200, await browser.send('POST', '/login/', ada))
      const device = () =>
        Buffer.from(browser.cookies.get('session-device') ?? '', 'base64url')
          .subarray(0, 16)
          .toString('hex')
      const first = device()
      let stored: StoredTokens | null = null
      let requests = 0
      const client = createAccountsClient({
        baseUrl: 'http://127.0.0.1',
        fetch: async (url, init) => {
          requests += 1
          const port = await (requests % 2 === 0 ? one : other).listen()
          return fetch(String(url).replace('127.0.0.1', `127.0.0.1:${port}`), init)
        },
        tokens: {
          load: () => stored,
          save: (all) => {
            stored = all
          },
        },
      })
      expect((await client.logIn(ada)).ok).toBe(true)

      let stage = 0
      const visit = async () => {
        service = balance(one, other)
        stage += 1
        for (const [turn, each] of [service, balance(other, one)].entries()) {
          await useEverything(each, `user-${stage}-${turn}`)
        }
        // Its access token has expired, so it refreshes.
        await scene.wait(16 * minute)
        for (let n = 0; n < 4; n += 1) {
          expect([stage, (await client.showMe()).ok, stored !== null]).toEqual([stage, true, true])
        }
        expect([stage, await atBoth(browser, '/me/')]).toEqual([stage, [200, 200]])
        ok(200, await browser.send('POST', '/login/', ada))
        expect([stage, device()]).toEqual([stage, first])
      }
      await visit()
      for (const list of lists.slice(1)) {
        one = await startOn(scene, list)
        await visit()
        other = await startOn(scene, list)
        await visit()
      }
      expect(lists.at(-1)).toEqual(['new'])
    },
  )
})
