// Written from the routes of the plugin: `npm run routes`.

import type { CallOptions, ClientOptions } from './exchange.js'
import { requestsTo } from './request.js'
import type { Result } from './result.js'
import type { OnlyTokens } from './wire.js'

export type { OnlyTokens, Tokens } from './wire.js'

/** One method for each route, named like its operation in the OpenAPI document. docs/routes.md describes them. */
export interface TokensClient {
  /** POST /tokens/refresh/: get new tokens for a refresh token. */
  refreshTokens(body: { refresh_token: string }, options?: CallOptions): Promise<Result<OnlyTokens, 200>>
  /** POST /tokens/revoke/: end the session of a token (RFC 7009): succeeds whatever it was. */
  revokeToken(body: { token: string }, options?: CallOptions): Promise<Result<object, 200>>
}

/** A client of one service. Takes the options of `createAccountsClient`. */
export function createTokensClient(options: ClientOptions = {}): TokensClient {
  const auth = requestsTo(options, options.authPrefix)
  return {
    refreshTokens: (body, call) => auth('POST', 'tokens-refresh /tokens/refresh/', call, body),
    revokeToken: (body, call) => auth('POST', 'tokens-revoke /tokens/revoke/', call, body),
  }
}
