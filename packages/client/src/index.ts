export { type AccountsClient, type Creation, createAccountsClient, cursorOf } from './client.js'
export {
  AccountsClientError,
  type ErrorCode,
  type FieldError,
  type FieldErrorCode,
  type ServiceErrorCode,
} from './error.js'
export type { CallOptions, ClientOptions } from './request.js'
export { type DataOf, type Failure, type Result, type Success, unwrap } from './result.js'
export type {
  AnyFields,
  Credentials,
  Detail,
  Link,
  NewPassword,
  NewUser,
  OwnUser,
  PasswordChange,
  PublicUser,
  RouteIndex,
  Session,
  SessionList,
  UserPage,
  UserQuery,
  Verification,
} from './wire.js'
