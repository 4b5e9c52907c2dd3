import type { ProviderErrorCode } from './providers.js'

/** Every code that the service refuses with. A test keeps it equal to the table of the server. */
export type ServiceErrorCode =
  | 'ACCOUNTS_INVALID_INPUT'
  | 'ACCOUNTS_INVALID_LINK'
  | 'ACCOUNTS_INVALID_CREDENTIALS'
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
  | 'ACCOUNTS_USERNAME_TAKEN'
  | 'ACCOUNTS_EMAIL_TAKEN'
  | 'ACCOUNTS_CONFLICT'
  | 'ACCOUNTS_THROTTLED'
  | 'ACCOUNTS_UNAVAILABLE'

/** The closed union of what a call can come to beside success. */
export type ErrorCode =
  | ServiceErrorCode
  /** No answer came: no network, a wrong address, or CORS does not allow it. `cause` says what fetch said. */
  | 'NETWORK_ERROR'
  /** An answer that is not of the service: a proxy's page, a path that is not mounted, a host's own error form. */
  | 'UNEXPECTED_ANSWER'
  | PasskeyErrorCode
  | ProviderErrorCode

/**
 * What passkeys come to beside that. `PASSKEY_FAILED`: the browser made or used none, because its user canceled, or there
 * is none, or the page is not one that may; `cause` says more.
 */
export type PasskeyErrorCode = 'ACCOUNTS_INVALID_PASSKEY' | 'PASSKEY_FAILED'

/** Code of a field error. */
export type FieldErrorCode =
  | 'required'
  | 'invalid'
  | 'unknown'
  | 'too_short'
  | 'too_long'
  | 'too_common'
  | 'breached'
  | 'mismatch'
  | 'incorrect'
  | 'unchanged'

/** One fault of one field of a request. */
export interface FieldError {
  /** The name on the wire; `''` where the body as a whole is at fault. */
  field: string
  code: FieldErrorCode
  message: string
}

/** Why a call failed. The code is the contract, the message may change. */
export class AccountsClientError extends Error {
  override readonly name = 'AccountsClientError'
  readonly code: ErrorCode
  /** The status of the answer; 0 where none came. */
  readonly status: number
  /** With ACCOUNTS_INVALID_INPUT: which fields, and why. Else empty. */
  readonly fields: readonly FieldError[]
  /** With ACCOUNTS_SECOND_FACTOR_REQUIRED: what completes the login (`totp`, `passkey`, `recovery-code`). Else empty. */
  readonly factors: readonly string[]
  /** Seconds until a new try makes sense, where the answer says it: with ACCOUNTS_THROTTLED and ACCOUNTS_UNAVAILABLE. */
  readonly retryAfter: number | undefined
  /** The body as it came, where it was JSON. */
  readonly body: unknown

  constructor(
    code: ErrorCode,
    message: string,
    details: {
      status?: number
      fields?: readonly FieldError[]
      factors?: readonly string[]
      retryAfter?: number | undefined
      body?: unknown
      cause?: unknown
    } = {},
  ) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause })
    this.code = code
    this.status = details.status ?? 0
    this.fields = details.fields ?? []
    this.factors = details.factors ?? []
    this.retryAfter = details.retryAfter
    this.body = details.body
  }
}
