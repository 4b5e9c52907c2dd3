import { type Provider, providers } from '@fastify-accounts/providers'
import type { LightMyRequestResponse as Response } from 'fastify'
import type { AccountsFeature, AccountsOptions } from 'fastify-accounts'
import { type Host, type TestApp, testApp } from '../app.js'
import { type AppBrowser, appBrowser } from '../app-browser.js'
import { startIssuer, type TestIssuer } from './issuer.js'

export const origin = 'http://localhost:3000'

/** An app with one provider, `demo`, and that provider. */
export interface DemoApp extends TestApp {
  issuer: TestIssuer
}

export async function demoApp(
  own: Partial<Provider> = {},
  options: Partial<AccountsOptions> = {},
  host: Host = {},
  others: readonly AccountsFeature[] = [],
): Promise<DemoApp> {
  const issuer = await startIssuer()
  const demo = {
    name: 'demo',
    label: 'Demo',
    issuer: issuer.url,
    clientId: 'app',
    clientSecret: 'secret',
    ...own,
  }
  const shared = { users: { variant: 'both' } } as const
  const service = await testApp({ ...shared, features: [providers([demo]), ...others], ...options }, host)
  return { ...service, issuer }
}

/** A browser that knows its way to the provider. */
export interface Visitor extends AppBrowser {
  /** Goes to the provider: where the browser is sent. */
  start(body?: object, path?: string): Promise<string>
  /** Comes back from it. */
  comeBack(parameters: URLSearchParams, headers?: object): Promise<Response>
  /** There and back, as who the claims say. */
  logInWith(claims: Record<string, unknown>, body?: object): Promise<Response>
  link(claims: Record<string, unknown>): Promise<Response>
  /** There and back, to confirm. */
  confirmWith(claims: Record<string, unknown>): Promise<Response>
}

export function visitor({ app, issuer }: Pick<DemoApp, 'app'> & { issuer?: TestIssuer }): Visitor {
  const browser = appBrowser({ app })
  const there = (location: string, claims: Record<string, unknown>): URLSearchParams => {
    if (issuer === undefined) throw new Error('there is no issuer to log in at')
    return issuer.logIn(location, claims)
  }
  const self: Visitor = {
    ...browser,
    async start(body = {}, path = '/login/with/demo/') {
      const answer = await browser.send('POST', path, body)
      if (answer.statusCode !== 200) throw new Error(answer.body)
      return answer.json().location
    },
    comeBack: (parameters, headers = {}) =>
      browser.send('GET', `/login/with/demo/callback/?${parameters}`, undefined, headers),
    async logInWith(claims, body) {
      return self.comeBack(there(await self.start(body), claims))
    },
    async link(claims) {
      return self.comeBack(there(await self.start({}, '/identities/demo'), claims))
    },
    async confirmWith(claims) {
      return self.comeBack(there(await self.start({}, '/confirm/with/demo/'), claims))
    },
  }
  return self
}
