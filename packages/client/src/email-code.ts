// Written from the routes of the plugin: `npm run routes`.

import type { CallOptions, ClientOptions } from './exchange.js'
import { requestsTo } from './request.js'
import type { Result } from './result.js'
import type { AnyFields, Detail, Link, NewOwner, OwnUser } from './wire.js'

export type { Detail, Link, NewOwner, NewPassword, OwnUser } from './wire.js'

/** One method for each route, named like its operation in the OpenAPI document. docs/routes.md describes them. */
export interface EmailCodeClient<Fields extends AnyFields = object> {
  /** POST /reset/code/: set a new password with an emailed code, in the browser that requested it. */
  resetPasswordWithCode(
    body: NewOwner & { code: string },
    options?: CallOptions,
  ): Promise<Result<undefined, 204>>
  /**
   * POST /confirm/code/: email a code to confirm with, if the account has a login passkey, or nothing else to
   * confirm with.
   */
  requestConfirmationCode(options?: CallOptions): Promise<Result<Detail, 202>>
  /** POST /login/code/: email a login code. */
  requestLoginCode(body: { email: string }, options?: CallOptions): Promise<Result<Detail, 202>>
  /** POST /login/code/confirm/: log in with an emailed code, in the browser that requested it. */
  logInWithCode(
    body: { code: string; remember?: boolean | 'on' | 'true' | 'false'; profile?: 'keep' | 'drop' },
    options?: CallOptions,
  ): Promise<Result<OwnUser<Fields>, 200>>
  /** GET /login/code/{uid64}/{token}/: show the login button, or in another browser the code. */
  showLoginCode(
    link: Link,
    options?: CallOptions,
  ): Promise<Result<{ code: string; same_browser: boolean }, 200>>
  /** POST /login/code/{uid64}/{token}/: log in by the emailed link, in the browser that requested it. */
  logInWithCodeLink(link: Link, options?: CallOptions): Promise<Result<OwnUser<Fields>, 200>>
}

/** A client of one service. Takes the options of `createAccountsClient`. */
export function createEmailCodeClient<Fields extends AnyFields = object>(
  options: ClientOptions = {},
): EmailCodeClient<Fields> {
  const auth = requestsTo(options, options.authPrefix)
  return {
    resetPasswordWithCode: (body, call) => auth('POST', 'reset-code /reset/code/', call, body),
    requestConfirmationCode: (call) => auth('POST', 'confirm-code /confirm/code/', call),
    requestLoginCode: (body, call) => auth('POST', 'login-code /login/code/', call, body),
    logInWithCode: (body, call) => auth('POST', 'login-code-confirm /login/code/confirm/', call, body),
    showLoginCode: (link, call) =>
      auth('GET', 'login-code-link /login/code/{uid64}/{token}/', call, undefined, link),
    logInWithCodeLink: (link, call) =>
      auth('POST', 'login-code-link /login/code/{uid64}/{token}/', call, undefined, link),
  }
}
