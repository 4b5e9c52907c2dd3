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
  | 'UNEXPECTED_ANSWER'
  | PasskeyErrorCode
  | ProviderErrorCode

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
  readonly code: ErrorCode
  /** The HTTP status; 0 without a response. */
  readonly status: number
  /** With ACCOUNTS_INVALID_INPUT: which fields, and why. Otherwise empty. */
  readonly fields: readonly FieldError[]
  /**
   * With ACCOUNTS_SECOND_FACTOR_REQUIRED: what completes the login (`totp`, `passkey`, `recovery-code`). With
   * ACCOUNTS_CONFIRMATION_REQUIRED: what confirms, if not everything does (`passkey`, `email-code`). Otherwise empty.
   */
  readonly factors: readonly string[]
  /** Seconds until the next attempt makes sense, if the response says so: with ACCOUNTS_THROTTLED and ACCOUNTS_UNAVAILABLE. */
  readonly retryAfter: number | undefined
  /** The response body, if it was JSON. */
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
