/** Every error code of the service. A test keeps it equal to the server's table. */
export type ServiceErrorCode =
  | 'ACCOUNTS_INVALID_INPUT'
  | 'ACCOUNTS_INVALID_LINK'
  | 'ACCOUNTS_INVALID_CREDENTIALS'
  | 'ACCOUNTS_INVALID_OR_NOT_VERIFIED'
  | 'ACCOUNTS_SECOND_FACTOR_REQUIRED'
  | 'ACCOUNTS_INVALID_CODE'
  | 'ACCOUNTS_LOGIN_EXPIRED'
  | 'ACCOUNTS_LOGIN_REQUIRED'
  | 'ACCOUNTS_NOT_VERIFIED'
  | 'ACCOUNTS_DISABLED'
  | 'ACCOUNTS_FORBIDDEN'
  | 'ACCOUNTS_CONFIRMATION_REQUIRED'
  | 'ACCOUNTS_ENROLLMENT_REQUIRED'
  | 'ACCOUNTS_CROSS_SITE'
  | 'ACCOUNTS_NOT_FOUND'
  | 'ACCOUNTS_METHOD_NOT_ALLOWED'
  | 'ACCOUNTS_REQUEST_TIMEOUT'
  | 'ACCOUNTS_USERNAME_TAKEN'
  | 'ACCOUNTS_EMAIL_TAKEN'
  | 'ACCOUNTS_CONFLICT'
  | 'ACCOUNTS_THROTTLED'
  | 'ACCOUNTS_UNAVAILABLE'

/** The closed union of all error codes of a call. */
export type ErrorCode =
  | ServiceErrorCode
  /** No response: no network, a wrong address, or CORS forbids it. `cause` is the error of fetch. */
  | 'NETWORK_ERROR'
  /** A response that isn't from the service: a proxy's page, a path that isn't mounted, your app's own error format. */
  | 'UNEXPECTED_RESPONSE'
  /** With the option `tokens`: its `load` or `save` failed, with `cause`. */
  | 'STORAGE_FAILED'
  | PasskeyErrorCode
  | ProviderErrorCode
  | keyof AppErrors

/**
 * The codes with which the rules of your app refuse, for you to declare:
 * `declare module '@fastify-accounts/client' { interface AppErrors { MYAPP_CLOSED: true } }`.
 */
// biome-ignore lint/suspicious/noEmptyInterface: apps add to it
export interface AppErrors {}

/**
 * Additional error codes of passkeys. `PASSKEY_FAILED`: the browser created or used none, because the user canceled, there
 * is none, or the page isn't allowed to; `cause` says more.
 */
export type PasskeyErrorCode = 'ACCOUNTS_INVALID_PASSKEY' | 'PASSKEY_FAILED'

/** Additional error codes of other providers. */
export type ProviderErrorCode = `ACCOUNTS_${
  | 'IDENTITY_TAKEN'
  | 'OTHER_BROWSER'
  | `PROVIDER_${'CANNOT_CONFIRM' | 'MISCONFIGURED' | 'REFUSED' | 'UNAVAILABLE'}`}`

/**
 * Why, by code: each is a meaning of its code for which people act differently. A newer service may have more, so treat
 * one that you don't know like the code without a reason. A test keeps them equal to the server's.
 */
export interface ErrorReasons {
  ACCOUNTS_INVALID_INPUT: 'proof_required' | 'unusable_profile' | 'needs_browser'
  ACCOUNTS_INVALID_CREDENTIALS: 'wrong_passkey' | 'changed_meanwhile'
  ACCOUNTS_SECOND_FACTOR_REQUIRED: 'passkey' | 'totp' | 'passkey_or_totp' | 'recovery_code'
  ACCOUNTS_INVALID_CODE: 'not_requested' | 'app_turned_off'
  ACCOUNTS_LOGIN_REQUIRED: 'api_key' | 'invalid_api_key'
  ACCOUNTS_FORBIDDEN:
    | 'own_account'
    | 'sign_up_closed'
    | 'provider_account_refused'
    | 'other_account'
    | 'missing_scope'
    | 'missing_permission'
  ACCOUNTS_CONFIRMATION_REQUIRED:
    | 'passkey'
    | 'passkey_or_email_code'
    | 'totp'
    | 'passkey_or_totp'
    | 'just_added'
  ACCOUNTS_ENROLLMENT_REQUIRED: 'has_passkey'
  ACCOUNTS_NOT_VERIFIED: 'claim_account'
  ACCOUNTS_NOT_FOUND: 'no_password' | 'no_passkey' | 'not_linked'
  ACCOUNTS_CONFLICT:
    | 'changed_meanwhile'
    | 'last_way_in'
    | 'limit_reached'
    | 'still_staff'
    | 'refused_by_rule'
    | 'already_verified'
    | 'being_accepted'
    | 'already_accepted'
    | 'too_many_invitations'
    | 'slug_taken'
    | 'last_owner'
    | 'too_many_organizations'
    | 'organization_full'
    | 'already_member'
    | 'no_second_factor'
    | 'no_passkey'
  ACCOUNTS_PROVIDER_REFUSED: 'canceled' | 'other_account'
}

/** Any of them. */
export type ErrorReason = ErrorReasons[keyof ErrorReasons]

/** Code of a field error. */
export type FieldErrorCode =
  | 'required'
  | 'invalid'
  | 'unknown'
  | 'read_only'
  | 'too_short'
  | 'too_long'
  | 'too_common'
  | 'breached'
  | 'mismatch'
  | 'incorrect'
  | 'unchanged'

/** An error of one field of a request. */
export interface FieldError {
  /** The name in JSON; `''` if the error is about the whole body. */
  field: string
  code: FieldErrorCode
  message: string
}

/** Why a call failed. The code is the contract, the message may change. */
export class AccountsClientError extends Error {
  override readonly name = 'AccountsClientError'
  declare readonly code: ErrorCode
  /** Why, with a code that has several meanings. */
  declare readonly reason: ErrorReason | undefined
  /** The HTTP status; 0 without a response. */
  declare readonly status: number
  /** With ACCOUNTS_INVALID_INPUT, and codes of your app: which fields, and why. Otherwise empty. */
  declare readonly fields: readonly FieldError[]
  /**
   * With ACCOUNTS_SECOND_FACTOR_REQUIRED: what completes the login (`passkey`, `totp`, `recovery-code`). With
   * ACCOUNTS_CONFIRMATION_REQUIRED: what confirms, if not everything does (also `email-code`). Offer the first one, and
   * the others below. Otherwise empty.
   */
  declare readonly factors: readonly string[]
  /** Seconds until the next attempt makes sense, if the response says so: with ACCOUNTS_THROTTLED and ACCOUNTS_UNAVAILABLE. */
  declare readonly retryAfter: number | undefined
  /** The response body, if it was JSON. */
  declare readonly body: unknown

  constructor(
    code: ErrorCode,
    message: string,
    details: {
      reason?: ErrorReason | undefined
      status?: number
      fields?: readonly FieldError[]
      factors?: readonly string[]
      retryAfter?: number | undefined
      body?: unknown
      cause?: unknown
    } = {},
  ) {
    super(message, details)
    Object.assign(this, { code, status: 0, fields: [], factors: [] }, details)
  }
}

/** The error of a result: its code narrows its reason. */
export type CallError = {
  [Code in ErrorCode]: AccountsClientError & {
    readonly code: Code
    readonly reason: Code extends keyof ErrorReasons ? ErrorReasons[Code] | undefined : undefined
  }
}[ErrorCode]
