import type { ClientOptions } from './client.js'
import { type CallOptions, filled, type Method, send } from './request.js'
import type { Result } from './result.js'

/** Where the routes of providers are, by their names in GET /api-root/. */
export const defaultProviderPaths = {
  'login-with': '/login/with/{provider}/',
  'confirm-with': '/confirm/with/{provider}/',
  identities: '/identities/',
  identity: '/identities/{id}',
} as const

type ProviderRouteName = keyof typeof defaultProviderPaths

/** An identity at another provider of whoever is logged in. */
export interface Identity {
  /** For `removeIdentity`. */
  id: string
  /** The name of the provider; `null` where nobody logs in with it any more. */
  provider: string | null
  /** What its owner knows it by, such as the address there. */
  label: string | null
  created_at: string | null
  last_used_at: string | null
}

/** The page of the provider: send the browser there, as by `location.assign(data.location)`. */
export interface ProviderPage {
  location: string
}

/** What other providers come to, beside what everything does. */
export type ProviderErrorCode = `ACCOUNTS_${
  | 'IDENTITY_TAKEN'
  | 'OTHER_BROWSER'
  | `PROVIDER_${'CANNOT_CONFIRM' | 'REFUSED' | 'UNAVAILABLE'}`}`

/** As for `createAccountsClient`; `paths` may name the routes of providers too. */
export type ProvidersClientOptions = Omit<ClientOptions, 'paths'> & {
  paths?: { readonly [name: string]: string | undefined }
}

/** Other providers. A `provider` is its name at the service; `next` is where the browser goes when it comes back. */
export interface ProvidersClient {
  /**
   * POST /login/with/{provider}/: begins to log in or to sign up.
   * @param options.remember whether the cookie outlives the browser. Default: `false`.
   */
  logInWith(
    provider: string,
    options?: { next?: string; remember?: boolean },
    call?: CallOptions,
  ): Promise<Result<ProviderPage, 200>>
  /** POST /confirm/with/{provider}/: has whoever is logged in log in anew there, for what came to ACCOUNTS_CONFIRMATION_REQUIRED. */
  confirmWith(
    provider: string,
    options?: { next?: string },
    call?: CallOptions,
  ): Promise<Result<ProviderPage, 200>>
  /** GET /identities/ */
  listIdentities(call?: CallOptions): Promise<Result<{ results: Identity[] }, 200>>
  /** POST /identities/{provider}: begins to link an identity, after a recent login. */
  addIdentity(
    provider: string,
    options?: { next?: string },
    call?: CallOptions,
  ): Promise<Result<ProviderPage, 200>>
  /** DELETE /identities/{id}, after a recent login, where another way to log in is left. */
  removeIdentity(id: string, call?: CallOptions): Promise<Result<undefined, 204>>
}

/** A client for the other providers of one service. */
export function createProvidersClient(options: ProvidersClientOptions = {}): ProvidersClient {
  const { authPrefix = '', paths = {}, ...asked } = options

  const auth = <Data, Status extends number>(
    method: Method,
    name: ProviderRouteName,
    call: CallOptions = {},
    body?: object,
    params: object = {},
  ): Promise<Result<Data, Status>> =>
    send(asked, method, authPrefix + filled(paths[name] ?? defaultProviderPaths[name], params), body, call)

  return {
    logInWith: (provider, body = {}, call) => auth('POST', 'login-with', call, body, { provider }),
    confirmWith: (provider, body = {}, call) => auth('POST', 'confirm-with', call, body, { provider }),
    listIdentities: (call) => auth('GET', 'identities', call),
    addIdentity: (id, body = {}, call) => auth('POST', 'identity', call, body, { id }),
    removeIdentity: (id, call) => auth('DELETE', 'identity', call, undefined, { id }),
  }
}
