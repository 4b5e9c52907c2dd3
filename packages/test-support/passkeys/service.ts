import { type PasskeysOptions, passkeys } from '@fastify-accounts/passkeys'
import type { LightMyRequestResponse as Response } from 'fastify'
import type { AccountsOptions } from 'fastify-accounts'
import { type Host, signUp, type TestApp, testApp } from '../app.js'
import { type AppBrowser, appBrowser } from '../app-browser.js'
import { create, get, type SoftPasskey, type Twist } from './authenticator.js'

export const origin = 'http://localhost:3000'

/** An app with the feature. */
export function passkeyApp(
  options: Partial<AccountsOptions> = {},
  own: PasskeysOptions = {},
  host: Host = {},
): Promise<TestApp> {
  const shared = { users: { variant: 'both' }, session: { newDeviceMail: false } } as const
  return testApp({ ...shared, features: [passkeys(own)], ...options }, host)
}

/** A browser that makes and uses passkeys. */
export interface Visitor extends AppBrowser {
  /** Requests options, creates a passkey, and registers it. If that takes a passkey, it logs in with the last one first. */
  add(
    twist?: Twist & { name?: string; use?: 'login' | 'factor' },
  ): Promise<{ passkey: SoftPasskey; response: Response }>
  signUp(
    username: string,
    fields?: object,
    twist?: Twist,
  ): Promise<{ passkey: SoftPasskey; response: Response }>
  /** Logs in with the passkey. */
  use(passkey: SoftPasskey, twist?: Twist): Promise<Response>
}

export function visitor({ app }: Pick<TestApp, 'app'>): Visitor {
  const browser = appBrowser({ app })
  let mine: SoftPasskey | undefined
  async function use(passkey: SoftPasskey, twist?: Twist): Promise<Response> {
    const options = await browser.send('POST', '/login/passkey/options/')
    return browser.send('POST', '/login/passkey/', { response: get(passkey, options.json(), twist) })
  }
  return {
    ...browser,
    async add({ name, use: kind, ...twist } = {}) {
      const ask = () => browser.send('POST', '/passkeys/options/', kind && { use: kind })
      let options = await ask()
      if (options.json().factors?.includes('passkey') && mine && (await use(mine)).statusCode === 200)
        options = await ask()
      if (options.statusCode !== 200) throw new Error(options.body)
      const { passkey, response: created } = create(options.json(), origin, twist)
      const response = await browser.send('POST', '/passkeys/', { response: created, ...(name && { name }) })
      if (response.statusCode === 201 && kind !== 'factor') mine = passkey
      return { passkey, response }
    },
    async signUp(username, fields = {}, twist = {}) {
      const options = await browser.send('POST', '/signup/passkey/options/', { username, ...fields })
      if (options.statusCode !== 200) throw new Error(options.body)
      const { passkey, response: created } = create(options.json(), origin, twist)
      const response = await browser.send('POST', '/signup/passkey/', {
        username,
        ...fields,
        response: created,
      })
      return { passkey, response }
    },
    use,
  }
}

/** Alice, with a browser and a passkey. */
export async function withAlice(
  service: TestApp,
  twist: Twist = {},
): Promise<{ alice: Visitor; passkey: SoftPasskey }> {
  await signUp(service)
  const alice = visitor(service)
  await alice.logIn()
  const { passkey, response } = await alice.add(twist)
  if (response.statusCode !== 201) throw new Error(response.body)
  return { alice, passkey }
}
