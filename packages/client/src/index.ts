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
  EmailLink,
  Link,
  NewPassword,
  NewUser,
  OwnUser,
  PasswordChange,
  ProfileChange,
  PublicUser,
  RouteIndex,
  Session,
  SessionList,
  UserFlags,
  UserPage,
  UserQuery,
  Verification,
} from './wire.js'
