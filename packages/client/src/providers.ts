import type { CallOptions, ClientOptions } from './exchange.js'
import { filled, queryOf } from './path.js'
import { requestsTo } from './request.js'
import type { Failure, Result, Success } from './result.js'
import type { AnyFields, Detail, Link, OwnUser } from './wire.js'

export type { ProviderErrorCode } from './error.js'

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

/** What an app got from a provider's SDK. */
export interface SdkLogin {
  id_token: string
  /** A random text; the SDK was given its SHA-256 as lower-case hex. */
  nonce: string
  /** JSON that the SDK gave beside the ID token: Apple's `{ name: { firstName, lastName } }`. */
  user?: string
}

/** What an app sends to the system browser, with PKCE (RFC 7636). */
export interface AppLoginRequest {
  /** One of the service's `appRedirectUris`; on loopback with the port that the app listens on. */
  redirect_uri: string
  /** The SHA-256 of `code_verifier`, in base64url. */
  code_challenge: string
  /** Random. The browser must bring it back unchanged. */
  state: string
}

/** What the system browser has brought back to the app, and the text behind its `code_challenge`. */
export interface AppCode {
  code: string
  code_verifier: string
}

/** 200: logged in. 202: the address has to be proven by an emailed link. */
export type AppLogin = Success<OwnUser, 200> | Success<Detail, 202> | Failure

/**
 * Other providers. A `provider` is its name at the service; `next` is where the browser goes on return. `SignUp` is the type
 * of the service's option `signUp.fields`: what a login carries that may be a sign-up.
 */
export interface ProvidersClient<SignUp extends AnyFields = object> {
  /**
   * POST /login/with/{provider}/: starts a login or sign-up.
   * @param options.remember whether the cookie outlives the browser. Default: `false`.
   */
  logInWith(
    provider: string,
    options?: { next?: string; remember?: boolean } & Partial<SignUp>,
    call?: CallOptions,
  ): Promise<Result<ProviderPage, 200>>
  /** POST /confirm/with/{provider}/: makes the logged-in user log in there again, after ACCOUNTS_CONFIRMATION_REQUIRED. */
  confirmWith(
    provider: string,
    options?: { next?: string },
    call?: CallOptions,
  ): Promise<Result<ProviderPage, 200>>
  /** GET /login/with/{provider}/app/: what an app opens in the system browser. It comes back with `code` or `error`. */
  appLoginUrl(provider: string, request: AppLoginRequest): string
  /** POST /tokens/: logs in with the `code`, in the app. */
  logInWithAppCode(body: AppCode, call?: CallOptions): Promise<Result<OwnUser, 200>>
  /** GET /identities/{provider}/app/: the same to link an identity. */
  appLinkUrl(provider: string, request: AppLoginRequest): string
  /** POST /identities/{provider}/code/: links an identity with the `code`, in the app. Requires a recent login. */
  addIdentityWithAppCode(provider: string, body: AppCode, call?: CallOptions): Promise<Result<undefined, 204>>
  /** GET /confirm/with/{provider}/app/: the same to confirm. */
  appConfirmUrl(provider: string, request: AppLoginRequest): string
  /** POST /confirm/with/{provider}/code/: after ACCOUNTS_CONFIRMATION_REQUIRED, with the `code`, in the app. */
  confirmWithAppCode(provider: string, body: AppCode, call?: CallOptions): Promise<Result<undefined, 204>>
  /** POST /login/with/{provider}/token/: logs in or signs up, in an app. 202 if the address has to be proven by email. */
  logInWithToken(
    provider: string,
    login: SdkLogin & { remember?: boolean } & Partial<SignUp>,
    call?: CallOptions,
  ): Promise<AppLogin>
  /** POST /confirm/with/{provider}/token/: after ACCOUNTS_CONFIRMATION_REQUIRED, in an app. */
  confirmWithToken(provider: string, login: SdkLogin, call?: CallOptions): Promise<Result<undefined, 204>>
  /** POST /identities/{provider}/token/: links an identity, in an app. Requires a recent login. */
  addIdentityWithToken(provider: string, login: SdkLogin, call?: CallOptions): Promise<Result<undefined, 204>>
  /**
   * POST /login/with/confirm/{uid64}/{token}/: after a 202, with the link of the email, in the app where the login began. 202
   * if it began in the system browser.
   */
  confirmIdentity(link: Link, call?: CallOptions): Promise<AppLogin>
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
export function createProvidersClient<SignUp extends AnyFields = object>(
  options: ClientOptions = {},
): ProvidersClient<SignUp> {
  const auth = requestsTo(options, options.authPrefix)
  const appUrl =
    (name: string, path: string) =>
    (provider: string, request: AppLoginRequest): string => {
      const { baseUrl = '', authPrefix = '', paths } = options
      const query = queryOf({ ...request, code_challenge_method: 'S256' })
      return baseUrl.replace(/\/$/, '') + authPrefix + filled(paths?.[name] ?? path, { provider }) + query
    }

  return {
    logInWith: (provider, body = {}, call) =>
      auth('POST', 'login-with /login/with/{provider}/', call, body, { provider }),
    confirmWith: (provider, body = {}, call) =>
      auth('POST', 'confirm-with /confirm/with/{provider}/', call, body, { provider }),
    appLoginUrl: appUrl('login-with-app', '/login/with/{provider}/app/'),
    appLinkUrl: appUrl('identity-app', '/identities/{provider}/app/'),
    addIdentityWithAppCode: (provider, body, call) =>
      auth('POST', 'identity-code /identities/{provider}/code/', call, body, { provider }),
    appConfirmUrl: appUrl('confirm-with-app', '/confirm/with/{provider}/app/'),
    confirmWithAppCode: (provider, body, call) =>
      auth('POST', 'confirm-with-code /confirm/with/{provider}/code/', call, body, { provider }),
    logInWithAppCode: (body, call) => auth('POST', 'app-login /tokens/', call, body),
    logInWithToken: (provider, body, call) =>
      auth('POST', 'login-with-token /login/with/{provider}/token/', call, body, {
        provider,
      }) as Promise<AppLogin>,
    confirmWithToken: (provider, body, call) =>
      auth('POST', 'confirm-with-token /confirm/with/{provider}/token/', call, body, { provider }),
    addIdentityWithToken: (id, body, call) =>
      auth('POST', 'identity-token /identities/{id}/token/', call, body, { id }),
    confirmIdentity: (link, call) =>
      auth(
        'POST',
        'confirm-identity /login/with/confirm/{uid64}/{token}/',
        call,
        undefined,
        link,
      ) as Promise<AppLogin>,
    listIdentities: (call) => auth('GET', 'identities /identities/', call),
    addIdentity: (id, body = {}, call) => auth('POST', 'identity /identities/{id}', call, body, { id }),
    removeIdentity: (id, call) => auth('DELETE', 'identity /identities/{id}', call, undefined, { id }),
  }
}
