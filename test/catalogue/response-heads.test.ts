import { passkeys } from '@fastify-accounts/passkeys'
import { providers } from '@fastify-accounts/providers'
import { goodPassword, logIn, signUp } from '@fastify-accounts/test-support/app'
import { mountedOperations } from '@fastify-accounts/test-support/operations'
import { startIssuer, type TestIssuer } from '@fastify-accounts/test-support/providers/issuer'
import { visitor } from '@fastify-accounts/test-support/providers/service'
import type { InjectOptions, LightMyRequestResponse as Response } from 'fastify'
import { secondFactor } from 'fastify-accounts'
import { afterAll, beforeAll, expect } from 'vitest'
import { cases } from './catalogue.js'
import type { Service } from './service.js'

/** Bytes of a response head: below nginx's smallest buffer, and below twice that while a provider's flow is open. */
const most = { usual: 3 * 1024, inFlow: 6 * 1024 }

const minute = 60_000
const kilobytes = (n: number) => 'x'.repeat(n * 1024)

let issuer: TestIssuer
beforeAll(async () => {
  issuer = await startIssuer()
})
afterAll(() => issuer.close())

const redirectUri = `org.example.app:/${'r'.repeat(283)}`

/** @param fields how much of its own a new user has, in characters */
function options(fields = 0) {
  const client = { clientId: 'app', clientSecret: 'secret' }
  const note = 'n'.repeat(fields)
  return {
    users: { variant: 'both', fields: { type: 'object', properties: { note: { type: 'string' } } } },
    login: { emailCode: true },
    features: [
      passkeys(),
      secondFactor(),
      providers(
        [{ name: 'open', issuer: issuer.url, ...client, ...(fields > 0 && { fields: () => ({ note }) }) }],
        { appRedirectUris: [redirectUri] },
      ),
    ],
    // The issuer runs in this busy process.
    adapterTimeout: minute,
  } as const
}

/** The bytes of a response before its body. */
function headOf({ statusCode, statusMessage, headers }: Response): number {
  const lines = Object.entries(headers).flatMap(([name, value]) =>
    [value].flat().map((each) => `${name}: ${each}\r\n`),
  )
  return `HTTP/1.1 ${statusCode} ${statusMessage}\r\n${lines.join('')}\r\n`.length
}

async function headSent(service: Service, request: InjectOptions): Promise<number> {
  const response = await service.app.inject(request)
  const cookies = [response.headers['set-cookie'] ?? []].flat()
  expect(cookies.length, `cookies of ${request.method} ${request.url}`).toBeLessThanOrEqual(6)
  return headOf(response)
}

const names = ['', '-device', '-pending', '-code', '-remembered', '-passkey', '-identity', '-signup']
/** Every cookie of the plugin, and as many flows as fit into a request. */
const cookies = [
  ...names.map((name) => `session${name}=${'c'.repeat(400)}`),
  ...Array.from({ length: 180 }, (_, n) => `session-flow-${String(n).padStart(43, 'A')}=x`),
].join('; ')

cases('Denial of service', ({ rule }) => {
  rule(
    'DOS-14',
    {
      tried:
        'every route with long paths and queries, bodies of 15 KB, and all of the plugin’s cookies forged, with 180 flows',
      expected: 'response heads below 3 KB with at most six cookies, so no proxy drops the process',
    },
    async ({ start }) => {
      const service = await start(options())
      const { app, routes } = await mountedOperations(options())
      await app.close()
      expect(routes.size).toBeGreaterThan(60)
      await signUp(service)
      const sizes: [number, string][] = []
      for (const route of routes.values()) {
        const [method = 'GET', path = ''] = route.split(' ')
        const filled = path.replace('{provider}', 'open').replaceAll(/\{\w+\}/g, 'p'.repeat(90))
        const url = `${filled}?next=${kilobytes(4)}&code=${kilobytes(2)}&state=${'s'.repeat(43)}`
        const body = ['GET', 'DELETE'].includes(method)
          ? {}
          : {
              payload: {
                username: kilobytes(5),
                email: kilobytes(5),
                next: kilobytes(4),
                code: kilobytes(1),
              },
            }
        for (const cookie of [cookies, `${cookies}; ${await logIn(service)}`]) {
          const request = { method, url, headers: { cookie }, ...body } as InjectOptions
          sizes.push([await headSent(service, request), route])
        }
      }
      const [largest] = sizes.toSorted(([one], [other]) => other - one)
      expect(largest?.[0], largest?.[1]).toBeLessThan(most.usual)
    },
  )

  rule(
    'DOS-14',
    {
      tried: 'a page of users after names and a search as long as they can be when encoded',
      expected: 'a response head below 3 KB; the next page is in the body',
    },
    async ({ start }) => {
      const service = await start(options())
      // One letter that composes from two, each of four bytes.
      const [letter, parts] = ['\u{1109A}', '\u{11099}\u{110BA}']
      for (const last of ['a', 'b', 'c'])
        await service.app.accounts.createUser({
          username: `${letter.repeat(126)}${last}`,
          password: goodPassword,
        })
      const cookie = await logIn(service, `${letter.repeat(126)}a`)
      const search = encodeURIComponent(parts.repeat(126))
      const response = await service.send('GET', `/user/?limit=1&search=${search}`, undefined, {
        headers: { cookie },
      })
      expect([response.statusCode, response.json().results.length]).toEqual([200, 1])
      expect(response.json().next).toMatch(/^http/)
      expect(headOf(response)).toBeLessThan(most.usual)
      const short = await service.send('GET', '/user/?limit=1', undefined, { headers: { cookie } })
      expect(short.headers.link).toBe(`<${short.json().next}>; rel="next"`)
    },
  )

  rule(
    'DOS-14',
    {
      tried:
        'a flow of a provider with the longest `next`, forms that it posts, and a new user with as many fields as fit',
      expected: 'response heads below 6 KB; a longer form is 400',
    },
    async ({ start }) => {
      const form = (code: string) => ({
        method: 'POST' as const,
        url: '/login/with/open/callback/',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        payload: String(new URLSearchParams({ state: 's'.repeat(43), code })),
      })
      const service = await start(options(1200))
      for (const code of [2000, 2100, 3000, 4096]
        .map((length) => 'c'.repeat(length))
        .concat('é'.repeat(4096))) {
        const response = await service.app.inject(form(code))
        expect(response.statusCode).toBeOneOf(code.length > 2100 ? [400, 413] : [303])
        expect(headOf(response)).toBeLessThan(most.usual)
      }
      const crowded = { method: 'POST' as const, url: '/login/with/open/', headers: { cookie: cookies } }
      expect(await headSent(service, crowded)).toBeLessThan(most.inFlow)
      const browser = visitor({ app: service.app, issuer })
      const begun = await browser.send('POST', '/login/with/open/', { next: `/${'n'.repeat(900)}` })
      expect(headOf(begun)).toBeLessThan(most.inFlow)
      const claims = { sub: 's'.repeat(255), email: `${'e'.repeat(60)}@example.org`, email_verified: true }
      const back = await browser.send(
        'GET',
        `/login/with/open/callback/?${issuer.logIn(begun.json().location, claims)}`,
      )
      expect(back.statusCode).toBe(202)
      expect(back.cookies.some(({ name }) => name.endsWith('-identity'))).toBe(true)
      expect(headOf(back)).toBeLessThan(most.inFlow)
    },
  )

  rule(
    'DOS-14',
    {
      tried: 'a login in an app with the longest redirect URI and state, and an identity as long as can be',
      expected: 'response heads below 6 KB',
    },
    async ({ start }) => {
      const service = await start(options())
      const challenge = { code_challenge: 'c'.repeat(43), code_challenge_method: 'S256' }
      const query = new URLSearchParams({ redirect_uri: redirectUri, state: '"'.repeat(200), ...challenge })
      const browser = visitor({ app: service.app, issuer })
      const claims = { sub: 's'.repeat(255), name: '"'.repeat(150) }
      const begun = await browser.send('POST', `/login/with/open/app/?${query}`)
      expect(headOf(begun)).toBeLessThan(most.inFlow)
      const parameters = issuer.logIn(begun.json().location, claims)
      const back = await browser.send('GET', `/login/with/open/callback/?${parameters}`)
      expect(back.headers.location?.startsWith(`${redirectUri}?code=`)).toBe(true)
      expect(headOf(back)).toBeLessThan(most.inFlow)
    },
  )
})
