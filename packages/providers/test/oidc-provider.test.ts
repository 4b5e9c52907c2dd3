import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { providers } from '@fastify-accounts/providers'
import { testApp } from '@fastify-accounts/test-support/app'
import { visitor } from '@fastify-accounts/test-support/providers/service'
import Provider from 'oidc-provider'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const callback = 'http://localhost:3000/login/with/certified/callback/'

/** How many times the server asked a user to log in. */
let logins = 0

/** A certified server that logs everyone in as ada and grants consent automatically. */
async function startCertified(conformIdTokenClaims: boolean): Promise<{ url: string; server: Server }> {
  const server = createServer()
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider = new Provider(url, {
    clients: [
      {
        client_id: 'app',
        client_secret: 'a secret of the app',
        redirect_uris: [callback],
        token_endpoint_auth_method: 'client_secret_basic',
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['preferred_username'] },
    // Whether the claims of scopes are only at the UserInfo endpoint.
    conformIdTokenClaims,
    features: { devInteractions: { enabled: false } },
    cookies: { keys: ['a key of the test'] },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    findAccount: (_, accountId) => ({
      accountId,
      claims: () => ({
        sub: accountId,
        email: 'ada@example.org',
        email_verified: true,
        preferred_username: 'ada',
      }),
    }),
    async loadExistingGrant(ctx) {
      const { client, session } = ctx.oidc
      const grant = new ctx.oidc.provider.Grant({
        ...(client && { clientId: client.clientId }),
        ...(session?.accountId && { accountId: session.accountId }),
      })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
  })
  const answer = provider.callback()
  server.on('request', (request, response) => {
    if (!request.url?.startsWith('/interaction/')) return void answer(request, response)
    logins += 1
    void provider.interactionFinished(request, response, { login: { accountId: 'ada-1' } })
  })
  return { url, server }
}

/** A browser at the provider, from the first page until it is redirected back. */
async function walk(location: string, cookies = new Map<string, string>()): Promise<URLSearchParams> {
  let url = location
  for (let steps = 0; steps < 10 && !url.startsWith(callback); steps += 1) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await fetch(url, { redirect: 'manual', headers: { cookie } })
    for (const each of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(each) ?? []
      cookies.set(name, value)
    }
    const next = answer.headers.get('location')
    if (next === null) throw new Error(`${answer.status} ${await answer.text()}`)
    url = new URL(next, url).href
  }
  return new URL(url).searchParams
}

describe.each([
  ['in the ID token', false],
  ['at the UserInfo endpoint', true],
])('a certified server with its claims %s', (_, conformIdTokenClaims) => {
  let url: string
  let server: Server
  beforeAll(async () => {
    ;({ url, server } = await startCertified(conformIdTokenClaims))
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })

  it('logs people in and signs them up', async () => {
    const certified = {
      ...{ name: 'certified', issuer: url, clientId: 'app', clientSecret: 'a secret of the app' },
      clientAuth: 'client_secret_basic',
      authoritativeFor: true,
    } as const
    const service = await testApp({ features: [providers([certified])] })
    const ids: string[] = []
    for (let times = 0; times < 2; times += 1) {
      const browser = visitor(service)
      const parameters = await walk(await browser.start({}, '/login/with/certified/'))
      expect(parameters.get('iss')).toBe(url)
      const answer = await browser.send('GET', `/login/with/certified/callback/?${parameters}`)
      expect(answer.statusCode, answer.body).toBe(303)
      const me = (await browser.send('GET', '/me/')).json()
      expect(me).toMatchObject({ username: 'ada', email: 'ada@example.org', is_verified: true })
      ids.push(me.id)
    }
    expect(ids[0]).toBe(ids[1])
  })

  it('requires a fresh login to confirm, but not to log in', async () => {
    const certified = {
      ...{ name: 'certified', issuer: url, clientId: 'app', clientSecret: 'a secret of the app' },
      clientAuth: 'client_secret_basic',
      authoritativeFor: true,
    } as const
    const service = await testApp({ features: [providers([certified])] })
    const browser = visitor(service)
    const cookies = new Map<string, string>()
    const before = logins
    const asked: number[] = []
    for (const path of ['/login/with/certified/', '/login/with/certified/', '/confirm/with/certified/']) {
      const parameters = await walk(await browser.start({}, path), cookies)
      const answer = await browser.send('GET', `/login/with/certified/callback/?${parameters}`)
      expect(answer.statusCode, answer.body).toBe(303)
      asked.push(logins - before)
    }
    expect(asked).toEqual([1, 1, 2])
  })

  it('rejects a code with a wrong secret, so nobody is logged in', async () => {
    const strange = {
      ...{ name: 'certified', issuer: url, clientId: 'app', clientSecret: 'another secret' },
      clientAuth: 'client_secret_basic',
    } as const
    const service = await testApp({ features: [providers([strange])] })
    const browser = visitor(service)
    const parameters = await walk(await browser.start({}, '/login/with/certified/'))
    const answer = await browser.send('GET', `/login/with/certified/callback/?${parameters}`)
    expect([answer.statusCode, answer.json().code]).toEqual([400, 'ACCOUNTS_PROVIDER_REFUSED'])
  })
})
