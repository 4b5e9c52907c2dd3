// Written from the routes of the plugin: `npm run routes`.

import type { CallOptions, ClientOptions } from './exchange.js'
import { requestsTo } from './request.js'
import type { Result } from './result.js'
import type { AnyFields, Factors, OwnUser, RecoveryCodes, SecondFactor, TotpApp, TotpSetup } from './wire.js'

export type {
  Factors,
  OwnUser,
  RecoveryCodes,
  Removed,
  RemovedFactors,
  SecondFactor,
  TotpApp,
  TotpSetup,
} from './wire.js'

/** One method for each route, named like its operation in the OpenAPI document. docs/routes.md describes them. */
export interface SecondFactorClient<Fields extends AnyFields = object> {
  /** POST /login/second-factor/: complete a login by a second factor. */
  logInWithSecondFactor(body: SecondFactor, options?: CallOptions): Promise<Result<OwnUser<Fields>, 200>>
  /** GET /second-factor/: show which second factors are on. */
  showFactors(options?: CallOptions): Promise<Result<Factors, 200>>
  /** PATCH /second-factor/: turn passkeys as a second factor on or off. Requires a recent login. */
  changeFactors(body: { passkeys: boolean }, options?: CallOptions): Promise<Result<RecoveryCodes, 200>>
  /** POST /second-factor/totp/: start setting up an authenticator app. Requires a recent login. */
  startTotp(options?: CallOptions): Promise<Result<TotpSetup, 200>>
  /** POST /second-factor/totp/confirm/: turn on an authenticator app with its first code. Requires a recent login. */
  confirmTotp(
    body: { code: string; token: string; name?: string },
    options?: CallOptions,
  ): Promise<Result<RecoveryCodes, 200>>
  /** DELETE /second-factor/totp/: remove every authenticator app. Requires a recent login. */
  removeTotp(options?: CallOptions): Promise<Result<undefined, 204>>
  /** PATCH /second-factor/totp/{id}: rename an authenticator app. */
  renameTotpApp(id: string, body: { name: string }, options?: CallOptions): Promise<Result<TotpApp, 200>>
  /** DELETE /second-factor/totp/{id}: remove one authenticator app. Requires a recent login. */
  removeTotpApp(id: string, options?: CallOptions): Promise<Result<undefined, 204>>
  /** DELETE /second-factor/devices/{id}: forget a remembered device. */
  removeRememberedDevice(id: string, options?: CallOptions): Promise<Result<undefined, 204>>
  /**
   * POST /second-factor/recovery-codes/: create new recovery codes, which replace the old ones. Requires a recent
   * login.
   */
  renewRecoveryCodes(options?: CallOptions): Promise<Result<RecoveryCodes, 200>>
}

/** A client of one service. Takes the options of `createAccountsClient`. */
export function createSecondFactorClient<Fields extends AnyFields = object>(
  options: ClientOptions = {},
): SecondFactorClient<Fields> {
  const auth = requestsTo(options, options.authPrefix)
  return {
    logInWithSecondFactor: (body, call) =>
      auth('POST', 'login-second-factor /login/second-factor/', call, body),
    showFactors: (call) => auth('GET', 'second-factor /second-factor/', call),
    changeFactors: (body, call) => auth('PATCH', 'second-factor /second-factor/', call, body),
    startTotp: (call) => auth('POST', 'totp /second-factor/totp/', call),
    confirmTotp: (body, call) => auth('POST', 'totp-confirm /second-factor/totp/confirm/', call, body),
    removeTotp: (call) => auth('DELETE', 'totp /second-factor/totp/', call),
    renameTotpApp: (id, body, call) => auth('PATCH', 'totp-app /second-factor/totp/{id}', call, body, { id }),
    removeTotpApp: (id, call) => auth('DELETE', 'totp-app /second-factor/totp/{id}', call, undefined, { id }),
    removeRememberedDevice: (id, call) =>
      auth('DELETE', 'remembered-device /second-factor/devices/{id}', call, undefined, { id }),
    renewRecoveryCodes: (call) => auth('POST', 'recovery-codes /second-factor/recovery-codes/', call),
  }
}
