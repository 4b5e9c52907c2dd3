import { type AccountsCalls, accountsCalls } from './accounts-calls.js'
import type { ClientOptions } from './exchange.js'
import { type AccessTokenOptions, accessToken, fetchWithTokens } from './fetch-with-tokens.js'
import type { Failure, Success } from './result.js'
import { keeperOf, keepsTokens } from './token-keeper.js'
import type { TokenStorage } from './token-storage.js'
import type { AnyFields, Detail, OwnUser, Tokens } from './wire.js'

/**
 * 201: the user was created. 202, with `requireEmailConfirmation` or the address alone: a link to confirm it was
 * emailed.
 */
export type Creation<Fields extends AnyFields> =
  | Success<OwnUser<Fields>, 201>
  | Success<Detail, 202>
  | Failure

/**
 * What most apps call. `Fields` is the type of the service's option `users.fields`, and `SignUp` of `signUp.fields`.
 */
export interface AccountsClient<Fields extends AnyFields = object, SignUp extends AnyFields = object>
  extends AccountsCalls<Fields, SignUp> {}

/** What a client with the option `tokens` does besides. */
export interface TokenMethods {
  /**
   * `fetch` for your own routes, with the token. A path is one of `baseUrl`'s origin, so that must be a whole URL; a URL of
   * another origin throws a TypeError. Redirects are errors, and cookies aren't sent, unless `init` says otherwise.
   * @throws AccountsClientError if the token can't be refreshed for now
   */
  fetch: typeof globalThis.fetch
  /**
   * The access token, refreshed if it is due or `refused`, for what isn't sent with `fetch`: `Authorization: Bearer …`. `null`
   * if nobody is logged in.
   * @throws AccountsClientError if it can't be refreshed for now
   */
  accessToken(options?: AccessTokenOptions): Promise<string | null>
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
  const client = accountsCalls<Fields, SignUp>(options)
  if (!keepsTokens(options)) return client
  return Object.assign(client, {
    fetch: (input, init) => fetchWithTokens(options, input, init),
    accessToken: (call) => accessToken(options, call),
    keepTokens: (tokens) => keeperOf(options.tokens).replace(tokens),
  } satisfies TokenMethods)
}
