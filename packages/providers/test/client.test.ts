import { hash } from 'node:crypto'
import { createProvidersClient } from '@fastify-accounts/client/providers'
import { fetchWithCookies } from '@fastify-accounts/test-support/client'
import { type DemoApp, demoApp, visitor } from '@fastify-accounts/test-support/providers/service'
import { expect, it, onTestFinished } from 'vitest'
import { challengeOf } from './support/pkce.js'

/** A page on a socket, with its round trip to the provider. */
async function startPage(given: Parameters<typeof demoApp>[1] = {}, paths = {}) {
  const own = { authoritativeFor: true, appAudiences: ['ios-app'] } as const
  const inApps = { appRedirectUris: ['org.example.app:/login'] }
  const service: DemoApp = await demoApp(own, given, {}, [], inApps)
  const baseUrl = await service.app.listen({ port: 0, host: '127.0.0.1' })
  onTestFinished(() => service.app.close())
  const fetch = fetchWithCookies()
  const client = createProvidersClient({ baseUrl, fetch, paths })
  async function comeBack(location: string, claims: object): Promise<string | null> {
    const parameters = service.issuer.logIn(location, { ...claims, auth_time: Math.floor(Date.now() / 1000) })
    const url = `${baseUrl}/login/with/demo/callback/?${parameters}`
    return (await fetch(url, { redirect: 'manual' })).headers.get('location')
  }
  return { client, comeBack, service }
}

const ada = { sub: 'ada-1', email: 'ada@example.org', email_verified: true, preferred_username: 'ada' }

it('logs in, links, lists, confirms and removes', async () => {
  const { client, comeBack } = await startPage()
  const begun = await client.logInWith('demo', { next: '/home', remember: true })
  expect(begun).toMatchObject({ ok: true, status: 200 })
  expect(await comeBack(begun.ok ? begun.data.location : '', ada)).toBe('http://localhost:3000/home')
  const linked = await client.addIdentity('demo')
  await comeBack(linked.ok ? linked.data.location : '', { sub: 'another' })
  const listed = await client.listIdentities()
  const [first, second] = listed.ok ? listed.data.results : []
  expect([first?.provider, second?.provider]).toEqual(['demo', 'demo'])
  const confirmed = await client.confirmWith('demo', { next: '/settings' })
  expect(new URL(confirmed.ok ? confirmed.data.location : '').searchParams.get('max_age')).toBe('0')
  expect(await comeBack(confirmed.ok ? confirmed.data.location : '', ada)).toBe(
    'http://localhost:3000/settings',
  )
  expect(await client.removeIdentity(second?.id ?? '')).toMatchObject({ status: 204 })
  expect(await client.removeIdentity(first?.id ?? '')).toMatchObject({ error: { code: 'ACCOUNTS_CONFLICT' } })
  expect(await client.logInWith('nobody')).toMatchObject({ error: { code: 'ACCOUNTS_NOT_FOUND' } })
})

it('logs in, links and confirms in an app', async () => {
  const { client, service } = await startPage()
  const nonce = 'a random text of the app'
  const issued = (claims: object) => ({
    id_token: service.issuer.issue('ios-app', hash('sha256', nonce, 'hex'), { ...claims }),
    nonce,
  })
  expect(await client.logInWithToken('demo', issued(ada))).toMatchObject({
    status: 200,
    data: { email: ada.email },
  })
  expect(await client.addIdentityWithToken('demo', issued({ sub: 'another' }))).toMatchObject({ status: 204 })
  const now = Math.floor(Date.now() / 1000)
  expect(await client.confirmWithToken('demo', issued({ ...ada, auth_time: now }))).toMatchObject({
    status: 204,
  })
})

it('links and confirms in the system browser', async () => {
  const { client, comeBack, service } = await startPage()
  const code_verifier = 'v'.repeat(43)
  const request = {
    redirect_uri: 'org.example.app:/login',
    code_challenge: challengeOf(code_verifier),
    state: 'the state',
  }
  const bring = async (url: string) => {
    const browser = visitor(service)
    const { pathname, search } = new URL(url)
    const location = await browser.start({}, pathname + search)
    const back = service.issuer.logIn(location, { ...ada, auth_time: Math.floor(Date.now() / 1000) })
    const { headers } = await browser.comeBack(back)
    return { code: new URL(String(headers.location)).searchParams.get('code') ?? '', code_verifier }
  }
  const begun = await client.logInWith('demo')
  await comeBack(begun.ok ? begun.data.location : '', ada)
  const link = await bring(client.appLinkUrl('demo', request))
  expect(await client.addIdentityWithAppCode('demo', link)).toMatchObject({ status: 204 })
  const confirmation = await bring(client.appConfirmUrl('demo', request))
  expect(await client.confirmWithAppCode('demo', confirmation)).toMatchObject({ status: 204 })
})

it('reports provider errors', async () => {
  const { client, service } = await startPage()
  await service.issuer.close()
  const { error } = (await client.logInWith('demo')) as { error: { code: string } }
  expect(error.code).toBe('ACCOUNTS_PROVIDER_UNAVAILABLE')
  expect(await client.listIdentities()).toMatchObject({ error: { code: 'ACCOUNTS_LOGIN_REQUIRED' } })
})

it('finds routes at custom paths', async () => {
  const paths = { identities: '/elsewhere/' }
  const moved = await startPage({ paths }, paths)
  expect(await moved.client.listIdentities()).toMatchObject({ error: { code: 'ACCOUNTS_LOGIN_REQUIRED' } })
})
