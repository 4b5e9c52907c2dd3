/**
 * The client for browsers and Node.js.
 *
 * @module client
 */

export {
  type AccountsClient,
  type Creation,
  createAccountsClient,
  type TokenMethods,
} from './client.js'
export {
  AccountsClientError,
  type AppErrors,
  type CallError,
  type ErrorCode,
  type ErrorReason,
  type ErrorReasons,
  type FieldError,
  type FieldErrorCode,
  type PasskeyErrorCode,
  type ServiceErrorCode,
} from './error.js'
export type { CallOptions, ClientOptions } from './exchange.js'
export { type DataOf, type Failure, type Result, type Success, unwrap } from './result.js'
export type { StoredTokens, TokenStorage } from './token-storage.js'
export type {
  AnyFields,
  Confirmation,
  Credentials,
  Detail,
  EmailChange,
  EmailLink,
  Factors,
  Link,
  ListedUser,
  NewOwner,
  NewPassword,
  NewUser,
  OwnUser,
  PasswordChange,
  ProfileChange,
  PublicUser,
  RecoveryCodes,
  Removed,
  RemovedFactors,
  RouteIndex,
  SecondFactor,
  Session,
  SessionList,
  Tokens,
  TotpApp,
  TotpSetup,
  UserChange,
  UserOrder,
  UserPage,
  UserQuery,
  Verification,
} from './wire.js'
