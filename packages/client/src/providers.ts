import type { ClientOptions } from './client.js'
import { type CallOptions, filled, type Method, send } from './request.js'
import type { Result } from './result.js'

export type { ProviderErrorCode } from './error.js'

/** The paths of the provider routes, by their names in GET /api-root/. */
export const defaultProviderPaths = {
  'login-with': '/login/with/{provider}/',
  'confirm-with': '/confirm/with/{provider}/',
  identities: '/identities/',
  identity: '/identities/{id}',
} as const

type ProviderRouteName = keyof typeof defaultProviderPaths

/** The logged-in user's identity at another provider. */
export interface Identity {
  /** For `removeIdentity`. */
  id: string
  /** The name of the provider; `null` if it is no longer available for login. */
  provider: string | null
  /** A label its owner recognizes, such as the address there. */
  label: string | null
  created_at: string | null
  last_used_at: string | null
}

/** The provider's page: send the browser there, for example with `location.assign(data.location)`. */
export interface ProviderPage {
  location: string
}

/** As for `createAccountsClient`; `paths` may include the provider routes too. */
export type ProvidersClientOptions = Omit<ClientOptions, 'paths'> & {
  paths?: { readonly [name: string]: string | undefined }
}

/** Other providers. A `provider` is its name at the service; `next` is where the browser goes on return. */
export interface ProvidersClient {
  /**
   * POST /login/with/{provider}/: starts a login or sign-up.
   * @param options.remember whether the cookie outlives the browser. Default: `false`.
   */
  logInWith(
    provider: string,
    options?: { next?: string; remember?: boolean },
    call?: CallOptions,
  ): Promise<Result<ProviderPage, 200>>
  /** POST /confirm/with/{provider}/: makes the logged-in user log in there again, after ACCOUNTS_CONFIRMATION_REQUIRED. */
  confirmWith(
    provider: string,
    options?: { next?: string },
    call?: CallOptions,
  ): Promise<Result<ProviderPage, 200>>
  /** GET /identities/ */
  listIdentities(call?: CallOptions): Promise<Result<{ results: Identity[] }, 200>>
  /** POST /identities/{provider}: starts linking an identity. Requires a recent login. */
  addIdentity(
    provider: string,
    options?: { next?: string },
    call?: CallOptions,
  ): Promise<Result<ProviderPage, 200>>
  /** DELETE /identities/{id}. Requires a recent login and another way to log in. */
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
