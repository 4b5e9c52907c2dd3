import { providers } from '@fastify-accounts/providers'
import { testApp } from '@fastify-accounts/test-support/app'
import { visitor } from '@fastify-accounts/test-support/providers/service'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Certified, certifiedClient, startCertified } from './support/certified.js'

const callback = 'http://localhost:3000/login/with/certified/callback/'

/** A browser at the provider, from the first page until it is redirected back. */
async function walk(location: string, cookies = new Map<string, string>()): Promise<URLSearchParams> {
  let url = location
  for (let steps = 0; steps < 10 && !url.startsWith(callback); steps += 1) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(url, { redirect: 'manual', headers: { cookie } })
    for (const each of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(each) ?? []
      cookies.set(name, value)
    }
    const next = response.headers.get('location')
    if (next === null) throw new Error(`${response.status} ${await response.text()}`)
    url = new URL(next, url).href
  }
  return new URL(url).searchParams
}

describe.each([
  ['in the ID token', false],
  ['at the UserInfo endpoint', true],
])('a certified server with its claims %s', (_, conformIdTokenClaims) => {
  let issuer: Certified
  beforeAll(async () => {
    issuer = await startCertified(callback, conformIdTokenClaims)
  })
  afterAll(() => issuer.close())

  it('logs people in and signs them up', async () => {
    const certified = {
      ...{ name: 'certified', issuer: issuer.url, ...certifiedClient },
      clientAuth: 'client_secret_basic',
      authoritativeFor: true,
    } as const
    const service = await testApp({ features: [providers([certified])] })
    const ids: string[] = []
    for (let times = 0; times < 2; times += 1) {
      const browser = visitor(service)
      const parameters = await walk(await browser.start({}, '/login/with/certified/'))
      expect(parameters.get('iss')).toBe(issuer.url)
      const response = await browser.send('GET', `/login/with/certified/callback/?${parameters}`)
      expect(response.statusCode, response.body).toBe(303)
      const me = (await browser.send('GET', '/me/')).json()
      expect(me).toMatchObject({ username: 'ada', email: 'ada@example.org', is_verified: true })
      ids.push(me.id)
    }
    expect(ids[0]).toBe(ids[1])
  })

  it('requires a fresh login to confirm, but not to log in', async () => {
    const certified = {
      ...{ name: 'certified', issuer: issuer.url, ...certifiedClient },
      clientAuth: 'client_secret_basic',
      authoritativeFor: true,
    } as const
    const service = await testApp({ features: [providers([certified])] })
    const browser = visitor(service)
    const cookies = new Map<string, string>()
    const before = issuer.logins
    const asked: number[] = []
    for (const path of ['/login/with/certified/', '/login/with/certified/', '/confirm/with/certified/']) {
      const parameters = await walk(await browser.start({}, path), cookies)
      const response = await browser.send('GET', `/login/with/certified/callback/?${parameters}`)
      expect(response.statusCode, response.body).toBe(303)
      asked.push(issuer.logins - before)
    }
    expect(asked).toEqual([1, 1, 2])
  })

  it('rejects a code with a wrong secret, so nobody is logged in', async () => {
    const strange = {
      ...{ name: 'certified', issuer: issuer.url, clientId: 'app', clientSecret: 'another secret' },
      clientAuth: 'client_secret_basic',
    } as const
    const service = await testApp({ features: [providers([strange])] })
    const browser = visitor(service)
    const parameters = await walk(await browser.start({}, '/login/with/certified/'))
    const response = await browser.send('GET', `/login/with/certified/callback/?${parameters}`)
    expect([response.statusCode, response.json().code]).toEqual([400, 'ACCOUNTS_PROVIDER_REFUSED'])
  })
})
