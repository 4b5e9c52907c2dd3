import { type PasskeysOptions, passkeys } from '@fastify-accounts/passkeys'
import type { InjectOptions, LightMyRequestResponse as Response } from 'fastify'
import type { AccountsOptions } from 'fastify-accounts'
import { goodPassword, type Host, signUp, type TestApp, testApp } from '../app.js'
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

/** A browser: it keeps cookies, and makes and uses passkeys. */
export interface Visitor {
  cookies: Map<string, string>
  send(method: InjectOptions['method'], url: string, body?: object): Promise<Response>
  logIn(username?: string): Promise<void>
  /** Options, a passkey, and the answer to it; `twist` says what is wrong with it. */
  add(
    twist?: Twist & { name?: string; use?: 'login' | 'factor' },
  ): Promise<{ passkey: SoftPasskey; answer: Response }>
  signUp(
    username: string,
    fields?: object,
    twist?: Twist,
  ): Promise<{ passkey: SoftPasskey; answer: Response }>
  /** Options, and the answer to what the passkey makes of them. */
  use(passkey: SoftPasskey, twist?: Twist): Promise<Response>
  /** Who is logged in. */
  who(): Promise<string | null>
}

export function visitor({ app }: Pick<TestApp, 'app'>): Visitor {
  const cookies = new Map<string, string>()
  const self: Visitor = {
    cookies,
    async send(method, url, body) {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      const answer = await app.inject({
        ...(method && { method }),
        url,
        headers: { ...(cookie && { cookie }) },
        ...(body && { payload: body }),
      })
      for (const { name, value } of answer.cookies) {
        if (value === '') cookies.delete(name)
        else cookies.set(name, encodeURIComponent(value))
      }
      return answer
    },
    async logIn(username = 'alice') {
      const answer = await self.send('POST', '/login/', { username, password: goodPassword })
      if (answer.statusCode !== 200) throw new Error(answer.body)
    },
    async add({ name, use, ...twist } = {}) {
      const options = await self.send('POST', '/passkeys/options/', use && { use })
      if (options.statusCode !== 200) throw new Error(options.body)
      const { passkey, response } = create(options.json(), origin, twist)
      return { passkey, answer: await self.send('POST', '/passkeys/', { response, ...(name && { name }) }) }
    },
    async signUp(username, fields = {}, twist = {}) {
      const options = await self.send('POST', '/signup/passkey/options/', { username, ...fields })
      if (options.statusCode !== 200) throw new Error(options.body)
      const { passkey, response } = create(options.json(), origin, twist)
      const answer = await self.send('POST', '/signup/passkey/', { username, ...fields, response })
      return { passkey, answer }
    },
    async use(passkey, twist) {
      const options = await self.send('POST', '/login/passkey/options/')
      return self.send('POST', '/login/passkey/', { response: get(passkey, options.json(), twist) })
    },
    async who() {
      const answer = await self.send('GET', '/me/')
      return answer.statusCode === 200 ? answer.json().username : null
    },
  }
  return self
}

/** Alice, her browser, and a passkey of hers. */
export async function withAlice(
  service: TestApp,
  twist: Twist = {},
): Promise<{ alice: Visitor; passkey: SoftPasskey }> {
  await signUp(service)
  const alice = visitor(service)
  await alice.logIn()
  const { passkey, answer } = await alice.add(twist)
  if (answer.statusCode !== 201) throw new Error(answer.body)
  return { alice, passkey }
}

/** What a refusal says. */
export const refusalOf = (answer: Response): [number, string] => [
  answer.statusCode,
  answer.json().code ?? answer.body,
]
