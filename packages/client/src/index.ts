/**
 * The client for browsers and Node.js.
 *
 * @module client
 */

export {
  type AccountsClient,
  type ClientOptions,
  type Creation,
  createAccountsClient,
  type RouteName,
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
export type { CallOptions, ServiceOptions } from './exchange.js'
export { type DataOf, type Failure, type Result, type Success, unwrap } from './result.js'
export type { StoredTokens, TokenStorage, Tokens } from './token-storage.js'
export type {
  AnyFields,
  Credentials,
  Detail,
  EmailLink,
  Factors,
  Link,
  ListedUser,
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
  Session,
  SessionList,
  TotpApp,
  TotpSetup,
  UserChange,
  UserOrder,
  UserPage,
  UserQuery,
  Verification,
  VerificationProof,
} from './wire.js'
