export {
  AccountsError,
  type ErrorBody,
  type ErrorCode,
  errorTable,
  type FieldError,
  type FieldErrorCode,
} from './errors.js'
export type { Mail, Mailer, MailKind } from './seams/mailer.js'
export type { PasswordHasher } from './seams/password-hasher.js'
export type { Session, SessionStore } from './seams/session-store.js'
export {
  assertText,
  DuplicateError,
  InvalidArgumentError,
  type StoreError,
  UnavailableError,
} from './seams/store-errors.js'
export type { ThrottleStore } from './seams/throttle-store.js'
export type { TokenClaims, TokenContext, TokenSigner } from './seams/token-signer.js'
export type { UserPosition, UserStore } from './seams/user-store.js'
export type {
  AccountUser,
  JsonValue,
  NewUser,
  OwnUser,
  PublicUser,
  User,
  UserChanges,
  UserFields,
} from './user.js'
