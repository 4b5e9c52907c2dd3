/** Every error that a route answers with: its status and its text. The code is the contract, the text may change. */
export const errorTable = {
  ACCOUNTS_INVALID_INPUT: [400, 'The request has fields that cannot be accepted.'],
  ACCOUNTS_INVALID_LINK: [400, 'This link is not valid, or no longer. Ask for a new one.'],
  ACCOUNTS_INVALID_CREDENTIALS: [401, 'The username or the password is wrong.'],
  ACCOUNTS_LOGIN_REQUIRED: [401, 'Log in first.'],
  ACCOUNTS_NOT_VERIFIED: [403, 'The e-mail address of this account must be verified first.'],
  ACCOUNTS_DISABLED: [403, 'This account is disabled.'],
  ACCOUNTS_FORBIDDEN: [403, 'You are not allowed to do this.'],
  ACCOUNTS_CONFIRMATION_REQUIRED: [403, 'Confirm your password first.'],
  ACCOUNTS_CROSS_SITE: [
    403,
    'This request comes from another site. If that site is yours, add its origin to the option trustedOrigins.',
  ],
  ACCOUNTS_NOT_FOUND: [404, 'There is no such user.'],
  ACCOUNTS_METHOD_NOT_ALLOWED: [405, 'This path does not take this method.'],
  ACCOUNTS_USERNAME_TAKEN: [409, 'This username is taken.'],
  ACCOUNTS_EMAIL_TAKEN: [409, 'There is an account with this e-mail address already.'],
  ACCOUNTS_CONFLICT: [409, 'This user was changed at the same moment. Try again.'],
  ACCOUNTS_THROTTLED: [429, 'Too many tries. Wait a while.'],
  ACCOUNTS_UNAVAILABLE: [503, 'The service cannot answer at the moment. Try again shortly.'],
} as const satisfies Record<string, readonly [status: number, message: string]>

/** The closed union of codes. */
export type ErrorCode = keyof typeof errorTable

/** What is wrong with one field. */
export type FieldErrorCode =
  | 'required'
  | 'invalid'
  | 'unknown'
  | 'too_short'
  | 'too_long'
  | 'too_common'
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

/** The body of an error answer, where the host has no error handler of its own. */
export interface ErrorBody {
  statusCode: number
  code: ErrorCode
  error: string
  message: string
  fields?: FieldError[]
}

/** An outcome that a client is told of, by its code. */
export class AccountsError extends Error {
  override readonly name = 'AccountsError'
  readonly code: ErrorCode
  readonly statusCode: number
  /** With ACCOUNTS_INVALID_INPUT: which fields, and why. */
  readonly fields: FieldError[] | undefined
  /** With ACCOUNTS_THROTTLED and ACCOUNTS_UNAVAILABLE: seconds until a new try makes sense. */
  readonly retryAfter: number | undefined
  /** With ACCOUNTS_THROTTLED: how many tries the limit allows. */
  readonly limit: number | undefined

  constructor(
    code: ErrorCode,
    details: { fields?: FieldError[]; retryAfter?: number; limit?: number; cause?: unknown } = {},
  ) {
    const [statusCode, message] = errorTable[code]
    super(message, details.cause === undefined ? undefined : { cause: details.cause })
    this.code = code
    this.statusCode = statusCode
    this.fields = details.fields
    this.retryAfter = details.retryAfter
    this.limit = details.limit
  }
}

const fieldMessages: Record<FieldErrorCode, string> = {
  required: 'This field is required.',
  invalid: 'This value is not valid.',
  unknown: 'There is no such field.',
  too_short: 'This value is too short.',
  too_long: 'This value is too long.',
  too_common: 'This password is too easy to guess.',
  mismatch: 'The two passwords differ.',
  incorrect: 'This password is wrong.',
  unchanged: 'The new password is the old one.',
}

export function fieldError(
  field: string,
  code: FieldErrorCode,
  message: string = fieldMessages[code],
): FieldError {
  return { field, code, message }
}

/** Bad input, with the fields that are at fault. */
export function invalidInput(...fields: FieldError[]): AccountsError {
  return new AccountsError('ACCOUNTS_INVALID_INPUT', { fields })
}
