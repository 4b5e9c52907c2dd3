import type { CallOptions, ServiceOptions } from './exchange.js'
import { accessToken, fetchWithTokens } from './fetch-with-tokens.js'
import { requestsTo } from './request.js'
import type { Failure, Result, Success } from './result.js'
import { keeperOf, keepsTokens, refreshPath } from './token-keeper.js'
import type { TokenStorage, Tokens } from './token-storage.js'
import type {
  AnyFields,
  Credentials,
  Detail,
  EmailLink,
  Factors,
  Link,
  NewPassword,
  NewUser,
  OwnUser,
  PasswordChange,
  ProfileChange,
  RecoveryCodes,
  Removed,
  RouteIndex,
  SessionList,
  TotpApp,
  TotpSetup,
  Verification,
  VerificationProof,
} from './wire.js'

/** The paths of the routes, by their names in GET /api-root/. A test keeps them equal to those of the server. */
export const defaultPaths = {
  login: '/login/',
  logout: '/logout/',
  me: '/me/',
  'change-password': '/change-password/',
  password: '/password/',
  confirm: '/confirm/',
  'confirm-code': '/confirm/code/',
  'login-second-factor': '/login/second-factor/',
  'login-code': '/login/code/',
  'login-code-confirm': '/login/code/confirm/',
  'login-code-link': '/login/code/{uid64}/{token}/',
  'reset-code': '/reset/code/',
  'second-factor': '/second-factor/',
  totp: '/second-factor/totp/',
  'totp-confirm': '/second-factor/totp/confirm/',
  'totp-app': '/second-factor/totp/{id}',
  'remembered-device': '/second-factor/devices/{id}',
  'recovery-codes': '/second-factor/recovery-codes/',
  sessions: '/sessions/',
  session: '/sessions/{id}',
  'sessions-end-others': '/sessions/end-others/',
  'change-email': '/change-email/',
  'email-confirm': '/email/{uid64}/{token}/',
  'email-undo': '/email/undo/{uid64}/{token}/',
  'email-keep': '/email/keep/{uid64}/{token}/',
  'email-release': '/email/release/{uid64}/{token}/',
  'not-me': '/not-me/{uid64}/{token}/',
  forgot: '/forgot/',
  reset: '/reset/{uid64}/{token}/',
  'reset-done': '/reset/d/',
  'api-root': '/api-root/',
  'user-list': '/user/',
  'user-verify': '/user/v/{uid64}/{token}/',
  'user-verify-resend': '/user/v/',
  signup: '/signup/',
  'signup-verify': '/signup/v/{uid64}/{token}/',
  'signup-verify-resend': '/signup/v/',
  'tokens-refresh': refreshPath as '/tokens/refresh/',
  'tokens-revoke': '/tokens/revoke/',
} as const

/** A route that the client calls, by its name in GET /api-root/. */
export type RouteName = keyof typeof defaultPaths

/** The address of the service, and how to call it. */
export interface ClientOptions extends ServiceOptions {
  /** The option `users.prefix` of the service. Default: none. */
  usersPrefix?: string | undefined
  /**
   * The option `paths` of the service: `{ login: '/session/' }`. Routes that the client doesn't call are ignored.
   * Default: none.
   */
  paths?: { readonly [Name in RouteName]?: string | undefined } | undefined
}

/**
 * 201: the user was created. 202, with `requireEmailConfirmation` or the address alone: a link to confirm it was
 * emailed.
 */
export type Creation<Fields extends AnyFields> =
  | Success<OwnUser<Fields>, 201>
  | Success<Detail, 202>
  | Failure

/**
 * One method for each route, named like its operation in the OpenAPI document. docs/routes.md describes each, with its
 * errors. `Fields` is the type of the service's option `users.fields`, and `SignUp` of `signUp.fields`.
 */
export interface AccountsClient<Fields extends AnyFields = object, SignUp extends AnyFields = object> {
  /** POST /login/. A browser keeps the session cookie. */
  logIn(credentials: Credentials, options?: CallOptions): Promise<Result<OwnUser<Fields>, 200>>
  /**
   * POST /login/second-factor/: completes a login after ACCOUNTS_SECOND_FACTOR_REQUIRED. For a passkey, use the method of
   * the same name in `@fastify-accounts/client/passkeys`.
   */
  logInWithSecondFactor(
    body: ({ code: string } | { response: object }) & { remember_device?: boolean },
    options?: CallOptions,
  ): Promise<Result<OwnUser<Fields>, 200>>
  /** POST /login/code/: emails a login code. The response is the same whether or not the address is known. */
  requestLoginCode(body: { email: string }, options?: CallOptions): Promise<Result<Detail, 202>>
  /** POST /login/code/confirm/: logs in with the code, in the browser that requested it. */
  logInWithCode(
    body: { code: string; remember?: boolean },
    options?: CallOptions,
  ): Promise<Result<OwnUser<Fields>, 200>>
  /** GET /login/code/{uid64}/{token}/: the code, and whether this browser requested it. */
  showLoginCode(
    link: Link,
    options?: CallOptions,
  ): Promise<Result<{ code: string; same_browser: boolean }, 200>>
  /** POST /login/code/{uid64}/{token}/: logs in, in the browser that requested the code. */
  logInWithCodeLink(link: Link, options?: CallOptions): Promise<Result<OwnUser<Fields>, 200>>
  /** GET /second-factor/: which factors are on. */
  showFactors(options?: CallOptions): Promise<Result<Factors, 200>>
  /** PATCH /second-factor/: whether a login with the password also requires a passkey. Recovery codes are only shown once. */
  changeFactors(body: { passkeys: boolean }, options?: CallOptions): Promise<Result<RecoveryCodes, 200>>
  /** DELETE /second-factor/devices/{id}: a remembered device needs a second factor again. */
  removeRememberedDevice(id: string, options?: CallOptions): Promise<Result<undefined, 204>>
  /** POST /second-factor/totp/: starts setting up an authenticator app. */
  startTotp(options?: CallOptions): Promise<Result<TotpSetup, 200>>
  /** POST /second-factor/totp/confirm/: turns the app on with its first code. Recovery codes are only shown once. */
  confirmTotp(
    body: { code: string; token: string; name?: string },
    options?: CallOptions,
  ): Promise<Result<RecoveryCodes, 200>>
  /** DELETE /second-factor/totp/: removes every app. */
  removeTotp(options?: CallOptions): Promise<Result<undefined, 204>>
  /** PATCH /second-factor/totp/{id}: renames an app. */
  renameTotpApp(id: string, name: string, options?: CallOptions): Promise<Result<TotpApp, 200>>
  /** DELETE /second-factor/totp/{id}: removes one app. */
  removeTotpApp(id: string, options?: CallOptions): Promise<Result<undefined, 204>>
  /** POST /second-factor/recovery-codes/: creates new ones; the old ones stop working. */
  renewRecoveryCodes(options?: CallOptions): Promise<Result<RecoveryCodes, 200>>
  /**
   * POST /logout/. Succeeds even if nobody is logged in. With the option `tokens`, the app has none afterwards, even if the
   * call fails; the session then goes on until it expires or is ended elsewhere.
   */
  logOut(options?: CallOptions): Promise<Result<undefined, 204>>
  /** GET /me/: who is logged in. */
  showMe(options?: CallOptions): Promise<Result<OwnUser<Fields>, 200>>
  /** PATCH /me/: changes the given fields. */
  updateMe(changes: ProfileChange<Fields>, options?: CallOptions): Promise<Result<OwnUser<Fields>, 200>>
  /** DELETE /me/. Requires a recent login. */
  deleteMe(options?: CallOptions): Promise<Result<undefined, 204>>
  /** POST /change-password/. Ends all other sessions. A first password requires a recent login. */
  changePassword(body: PasswordChange, options?: CallOptions): Promise<Result<undefined, 204>>
  /** DELETE /password/. Requires another way to log in, and a recent login. Ends all other sessions. */
  removePassword(options?: CallOptions): Promise<Result<undefined, 204>>
  /** POST /confirm/: for actions that require it. */
  confirm(
    body: { password: string } | { code: string } | { response: object } | { email_code: string },
    options?: CallOptions,
  ): Promise<Result<undefined, 204>>
  /** POST /confirm/code/: emails a code for `confirm`, to an account with a login passkey, or nothing else to confirm with. */
  requestConfirmationCode(options?: CallOptions): Promise<Result<Detail, 202>>
  /** GET /sessions/: the user's sessions. */
  listSessions(options?: CallOptions): Promise<Result<SessionList, 200>>
  /** DELETE /sessions/{id}. For the current one, a logout. */
  endSession(id: string, options?: CallOptions): Promise<Result<undefined, 204>>
  /** POST /sessions/end-others/ */
  endOtherSessions(options?: CallOptions): Promise<Result<undefined, 204>>
  /** POST /change-email/: emails a link to the new address. Requires a recent login. */
  changeEmail(body: { email: string }, options?: CallOptions): Promise<Result<Detail, 202>>
  /** GET /email/{uid64}/{token}/: whether the link is still valid. */
  checkEmailChange(link: EmailLink, options?: CallOptions): Promise<Result<{ valid: boolean }, 200>>
  /** POST /email/{uid64}/{token}/: changes the address. */
  confirmEmailChange(link: EmailLink, options?: CallOptions): Promise<Result<Detail, 200>>
  /** GET /email/undo/{uid64}/{token}/: whether the link is still valid, and what it would remove. */
  checkEmailUndo(
    link: EmailLink,
    options?: CallOptions,
  ): Promise<Result<{ valid: boolean; removes?: Removed }, 200>>
  /** POST /email/undo/{uid64}/{token}/: restores the old address and logs everyone out. */
  undoEmailChange(
    link: EmailLink,
    options?: CallOptions,
  ): Promise<Result<Detail & { removed?: Removed }, 200>>
  /** GET /email/keep/{uid64}/{token}/, with the link that undoes a change: whether it is still valid. */
  checkEmailKeep(link: EmailLink, options?: CallOptions): Promise<Result<{ valid: boolean }, 200>>
  /** POST /email/keep/{uid64}/{token}/: the link that undoes the change stops working. */
  keepEmailChange(link: EmailLink, options?: CallOptions): Promise<Result<Detail, 200>>
  /** GET /email/release/{uid64}/{token}/: whether the link is still valid. */
  checkEmailRelease(link: EmailLink, options?: CallOptions): Promise<Result<{ valid: boolean }, 200>>
  /** POST /email/release/{uid64}/{token}/: removes the new address from the account. */
  releaseEmail(link: EmailLink, options?: CallOptions): Promise<Result<Detail, 200>>
  /** GET /not-me/{uid64}/{token}/: whether the link is still valid, and what it would remove. */
  checkLoginReport(
    link: Link,
    options?: CallOptions,
  ): Promise<Result<{ valid: boolean; removes?: Removed }, 200>>
  /** POST /not-me/{uid64}/{token}/: logs everyone out, disables the password and emails a reset link. */
  reportLogin(link: Link, options?: CallOptions): Promise<Result<Detail & { removed?: Removed }, 200>>
  /** POST /forgot/. The response is the same whether or not the address is known. */
  requestPasswordReset(body: { email: string }, options?: CallOptions): Promise<Result<Detail, 202>>
  /** GET /reset/{uid64}/{token}/: whether a reset link is still valid. */
  checkResetLink(link: Link, options?: CallOptions): Promise<Result<{ valid: boolean }, 200>>
  /** POST /reset/{uid64}/{token}/: sets the new password. */
  resetPassword(link: Link, body: NewPassword, options?: CallOptions): Promise<Result<undefined, 204>>
  /** POST /reset/code/: sets the new password with the code from the email, in the browser that requested it. */
  resetPasswordWithCode(
    body: NewPassword & { code: string },
    options?: CallOptions,
  ): Promise<Result<undefined, 204>>
  /** GET /reset/d/ */
  showResetDone(options?: CallOptions): Promise<Result<Detail, 200>>
  /** GET /api-root/: what is mounted. */
  listRoutes(options?: CallOptions): Promise<Result<RouteIndex, 200>>
  /** POST /tokens/refresh/. A client with the option `tokens` does it when needed. */
  refreshTokens(
    body: { refresh_token: string },
    options?: CallOptions,
  ): Promise<Result<{ tokens: Required<Tokens> }, 200>>
  /** POST /tokens/revoke/: ends the session of a token. Succeeds whatever the token is. */
  revokeToken(body: { token: string }, options?: CallOptions): Promise<Result<object, 200>>

  /** POST /user/ (variant A): creates a user. */
  createUser(body: NewUser<Fields & SignUp>, options?: CallOptions): Promise<Creation<Fields>>
  /** GET /user/v/{uid64}/{token}/: verifies the address. With `users.verifyLinks: 'click'`, only checks the link. */
  verifyUserByGet(link: Link, options?: CallOptions): Promise<Result<Verification, 200>>
  /** POST /user/v/{uid64}/{token}/: verifies. With a body, it also says whose the account is. */
  verifyUser(link: Link, body?: VerificationProof, options?: CallOptions): Promise<Result<Verification, 200>>
  /** POST /user/v/: emails the link again. */
  resendUserVerification(body: { email: string }, options?: CallOptions): Promise<Result<Detail, 202>>

  /** POST /signup/ (variant B): creates a user. */
  signUp(body: NewUser<Fields & SignUp>, options?: CallOptions): Promise<Creation<Fields>>
  /** GET /signup/v/{uid64}/{token}/: verifies the address. With `users.verifyLinks: 'click'`, only checks the link. */
  verifySignupByGet(link: Link, options?: CallOptions): Promise<Result<Verification, 200>>
  /** POST /signup/v/{uid64}/{token}/: verifies. With a body, it also says whose the account is. */
  verifySignup(
    link: Link,
    body?: VerificationProof,
    options?: CallOptions,
  ): Promise<Result<Verification, 200>>
  /** POST /signup/v/: emails the link again. */
  resendSignupVerification(body: { email: string }, options?: CallOptions): Promise<Result<Detail, 202>>
}

/** What a client with the option `tokens` does besides. */
export interface TokenMethods {
  /**
   * `fetch` for your own routes, with the token. A path is one of `baseUrl`'s origin, so that must be a whole URL; a URL of
   * another origin throws a TypeError. Redirects are errors, and cookies aren't sent, unless `init` says otherwise.
   * @throws AccountsClientError if the token can't be refreshed for now
   */
  fetch: typeof globalThis.fetch
  /**
   * The access token, refreshed if it is due, for what isn't sent with `fetch`: `Authorization: Bearer …`. `null` if nobody
   * is logged in.
   * @throws AccountsClientError if it can't be refreshed for now
   */
  accessToken(options?: CallOptions): Promise<string | null>
  /**
   * Keeps the tokens that a login route of your own has sent, to a call with the header `Accounts-Delivery: tokens`.
   * @throws AccountsClientError STORAGE_FAILED
   */
  keepTokens(tokens: Tokens): Promise<void>
}

/** A client of one service. It stores nothing: a browser keeps the cookie, or your app the tokens. */
export function createAccountsClient<Fields extends AnyFields = object, SignUp extends AnyFields = object>(
  options: ClientOptions & { tokens: TokenStorage },
): AccountsClient<Fields, SignUp> & TokenMethods
export function createAccountsClient<Fields extends AnyFields = object, SignUp extends AnyFields = object>(
  options?: ClientOptions,
): AccountsClient<Fields, SignUp>
export function createAccountsClient<Fields extends AnyFields = object, SignUp extends AnyFields = object>(
  options: ClientOptions = {},
): AccountsClient<Fields, SignUp> {
  const auth = requestsTo(options, defaultPaths, options.authPrefix)
  const users = requestsTo(options, defaultPaths, options.usersPrefix)

  const client: AccountsClient<Fields, SignUp> = {
    logIn: (body, call) => auth('POST', 'login', call, body),
    logInWithSecondFactor: (body, call) => auth('POST', 'login-second-factor', call, body),
    requestLoginCode: (body, call) => auth('POST', 'login-code', call, body),
    logInWithCode: (body, call) => auth('POST', 'login-code-confirm', call, body),
    showLoginCode: (link, call) => auth('GET', 'login-code-link', call, undefined, link),
    logInWithCodeLink: (link, call) => auth('POST', 'login-code-link', call, undefined, link),
    showFactors: (call) => auth('GET', 'second-factor', call),
    changeFactors: (body, call) => auth('PATCH', 'second-factor', call, body),
    removeRememberedDevice: (id, call) => auth('DELETE', 'remembered-device', call, undefined, { id }),
    startTotp: (call) => auth('POST', 'totp', call),
    confirmTotp: (body, call) => auth('POST', 'totp-confirm', call, body),
    removeTotp: (call) => auth('DELETE', 'totp', call),
    renameTotpApp: (id, name, call) => auth('PATCH', 'totp-app', call, { name }, { id }),
    removeTotpApp: (id, call) => auth('DELETE', 'totp-app', call, undefined, { id }),
    renewRecoveryCodes: (call) => auth('POST', 'recovery-codes', call),
    logOut: (call) => auth('POST', 'logout', call),
    showMe: (call) => auth('GET', 'me', call),
    updateMe: (body, call) => auth('PATCH', 'me', call, body),
    deleteMe: (call) => auth('DELETE', 'me', call),
    changePassword: (body, call) => auth('POST', 'change-password', call, body),
    removePassword: (call) => auth('DELETE', 'password', call),
    confirm: (body, call) => auth('POST', 'confirm', call, body),
    requestConfirmationCode: (call) => auth('POST', 'confirm-code', call),
    listSessions: (call) => auth('GET', 'sessions', call),
    endSession: (id, call) => auth('DELETE', 'session', call, undefined, { id }),
    endOtherSessions: (call) => auth('POST', 'sessions-end-others', call),
    changeEmail: (body, call) => auth('POST', 'change-email', call, body),
    checkEmailChange: (link, call) => auth('GET', 'email-confirm', call, undefined, link),
    confirmEmailChange: (link, call) => auth('POST', 'email-confirm', call, undefined, link),
    checkEmailUndo: (link, call) => auth('GET', 'email-undo', call, undefined, link),
    undoEmailChange: (link, call) => auth('POST', 'email-undo', call, undefined, link),
    checkEmailKeep: (link, call) => auth('GET', 'email-keep', call, undefined, link),
    keepEmailChange: (link, call) => auth('POST', 'email-keep', call, undefined, link),
    checkEmailRelease: (link, call) => auth('GET', 'email-release', call, undefined, link),
    releaseEmail: (link, call) => auth('POST', 'email-release', call, undefined, link),
    checkLoginReport: (link, call) => auth('GET', 'not-me', call, undefined, link),
    reportLogin: (link, call) => auth('POST', 'not-me', call, undefined, link),
    resetPasswordWithCode: (body, call) => auth('POST', 'reset-code', call, body),
    requestPasswordReset: (body, call) => auth('POST', 'forgot', call, body),
    checkResetLink: (link, call) => auth('GET', 'reset', call, undefined, link),
    resetPassword: (link, body, call) => auth('POST', 'reset', call, body, link),
    showResetDone: (call) => auth('GET', 'reset-done', call),
    listRoutes: (call) => auth('GET', 'api-root', call),
    refreshTokens: (body, call) => auth('POST', 'tokens-refresh', call, body),
    revokeToken: (body, call) => auth('POST', 'tokens-revoke', call, body),

    createUser: (body, call) => users('POST', 'user-list', call, body) as Promise<Creation<Fields>>,
    verifyUserByGet: (link, call) => users('GET', 'user-verify', call, undefined, link),
    verifyUser: (link, body, call) => users('POST', 'user-verify', call, body, link),
    resendUserVerification: (body, call) => users('POST', 'user-verify-resend', call, body),

    signUp: (body, call) => users('POST', 'signup', call, body) as Promise<Creation<Fields>>,
    verifySignupByGet: (link, call) => users('GET', 'signup-verify', call, undefined, link),
    verifySignup: (link, body, call) => users('POST', 'signup-verify', call, body, link),
    resendSignupVerification: (body, call) => users('POST', 'signup-verify-resend', call, body),
  }
  if (!keepsTokens(options)) return client
  return Object.assign(client, {
    fetch: (input, init) => fetchWithTokens(options, input, init),
    accessToken: (call) => accessToken(options, call?.signal),
    keepTokens: (given) => keeperOf(options.tokens).replace(given),
  } satisfies TokenMethods)
}
