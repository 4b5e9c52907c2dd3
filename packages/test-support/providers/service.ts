import { type Provider, type ProvidersOptions, providers } from '@fastify-accounts/providers'
import type { LightMyRequestResponse as Response } from 'fastify'
import type { AccountsFeature, AccountsOptions } from 'fastify-accounts'
import { type Host, type TestApp, testApp } from '../app.js'
import { type AppBrowser, appBrowser } from '../app-browser.js'
import { startIssuer, type TestIssuer } from './issuer.js'

export const origin = 'http://localhost:3000'

/** An app with one provider, `demo`, and its issuer. */
export interface DemoApp extends TestApp {
  issuer: TestIssuer
}

export async function demoApp(
  own: Partial<Provider> = {},
  options: Partial<AccountsOptions> = {},
  host: Host = {},
  others: readonly AccountsFeature[] = [],
  inApps: ProvidersOptions = {},
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
  const service = await testApp(
    { ...shared, features: [providers([demo], inApps), ...others], ...options },
    host,
  )
  return { ...service, issuer }
}

/** A browser that logs in with the provider. */
export interface Visitor extends AppBrowser {
  /** Starts the flow, and returns the provider's URL that the browser is sent to. */
  start(body?: object, path?: string): Promise<string>
  /** Returns to the callback. */
  comeBack(parameters: URLSearchParams, headers?: object): Promise<Response>
  /** Logs in with the provider, as the user in the claims. */
  logInWith(claims: Record<string, unknown>, body?: object): Promise<Response>
  link(claims: Record<string, unknown>): Promise<Response>
  /** Confirms with the provider. */
  confirmWith(claims: Record<string, unknown>): Promise<Response>
}

export function visitor({ app, issuer }: Pick<DemoApp, 'app'> & { issuer?: TestIssuer }): Visitor {
  const browser = appBrowser({ app })
  const there = (location: string, claims: Record<string, unknown>): URLSearchParams => {
    if (issuer === undefined) throw new Error('this needs an issuer')
    return issuer.logIn(location, claims)
  }
  const self: Visitor = {
    ...browser,
    async start(body = {}, path = '/login/with/demo/') {
      const response = await browser.send('POST', path, body)
      if (response.statusCode !== 200) throw new Error(response.body)
      return response.json().location
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
