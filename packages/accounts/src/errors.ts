import { STATUS_CODES } from 'node:http'
import { en } from './languages/en.js'
import { english, type Language } from './languages/languages.js'

/** The closed union of codes. */
export type ErrorCode =
  | 'ACCOUNTS_INVALID_INPUT'
  | 'ACCOUNTS_INVALID_LINK'
  | 'ACCOUNTS_INVALID_CREDENTIALS'
  | 'ACCOUNTS_LOGIN_REQUIRED'
  | 'ACCOUNTS_NOT_VERIFIED'
  | 'ACCOUNTS_DISABLED'
  | 'ACCOUNTS_FORBIDDEN'
  | 'ACCOUNTS_CONFIRMATION_REQUIRED'
  | 'ACCOUNTS_CROSS_SITE'
  | 'ACCOUNTS_NOT_FOUND'
  | 'ACCOUNTS_METHOD_NOT_ALLOWED'
  | 'ACCOUNTS_USERNAME_TAKEN'
  | 'ACCOUNTS_EMAIL_TAKEN'
  | 'ACCOUNTS_CONFLICT'
  | 'ACCOUNTS_THROTTLED'
  | 'ACCOUNTS_UNAVAILABLE'

/** Every error that a route answers with: its status and its text in English. The code is the contract, the text may change. */
export const errorTable: Readonly<Record<ErrorCode, readonly [status: number, message: string]>> = {
  ACCOUNTS_INVALID_INPUT: [400, en.errors.ACCOUNTS_INVALID_INPUT],
  ACCOUNTS_INVALID_LINK: [400, en.errors.ACCOUNTS_INVALID_LINK],
  ACCOUNTS_INVALID_CREDENTIALS: [401, en.errors.ACCOUNTS_INVALID_CREDENTIALS],
  ACCOUNTS_LOGIN_REQUIRED: [401, en.errors.ACCOUNTS_LOGIN_REQUIRED],
  ACCOUNTS_NOT_VERIFIED: [403, en.errors.ACCOUNTS_NOT_VERIFIED],
  ACCOUNTS_DISABLED: [403, en.errors.ACCOUNTS_DISABLED],
  ACCOUNTS_FORBIDDEN: [403, en.errors.ACCOUNTS_FORBIDDEN],
  ACCOUNTS_CONFIRMATION_REQUIRED: [403, en.errors.ACCOUNTS_CONFIRMATION_REQUIRED],
  ACCOUNTS_CROSS_SITE: [403, en.errors.ACCOUNTS_CROSS_SITE],
  ACCOUNTS_NOT_FOUND: [404, en.errors.ACCOUNTS_NOT_FOUND],
  ACCOUNTS_METHOD_NOT_ALLOWED: [405, en.errors.ACCOUNTS_METHOD_NOT_ALLOWED],
  ACCOUNTS_USERNAME_TAKEN: [409, en.errors.ACCOUNTS_USERNAME_TAKEN],
  ACCOUNTS_EMAIL_TAKEN: [409, en.errors.ACCOUNTS_EMAIL_TAKEN],
  ACCOUNTS_CONFLICT: [409, en.errors.ACCOUNTS_CONFLICT],
  ACCOUNTS_THROTTLED: [429, en.errors.ACCOUNTS_THROTTLED],
  ACCOUNTS_UNAVAILABLE: [503, en.errors.ACCOUNTS_UNAVAILABLE],
}

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
  /** The account that was refused, where there is one: for the audit trail, never for the client. */
  readonly userId: string | undefined

  constructor(
    code: ErrorCode,
    details: {
      fields?: FieldError[] | undefined
      retryAfter?: number | undefined
      limit?: number | undefined
      cause?: unknown
      /** Default: the text of the code, in English. */
      message?: string
      userId?: string | undefined
    } = {},
  ) {
    const [statusCode, message] = errorTable[code]
    super(details.message ?? message, details.cause === undefined ? undefined : { cause: details.cause })
    this.code = code
    this.statusCode = statusCode
    this.fields = details.fields
    this.retryAfter = details.retryAfter
    this.limit = details.limit
    this.userId = details.userId
  }

  /** The body that the plugin itself answers with. */
  toJSON(): ErrorBody {
    const { statusCode, code, message, fields } = this
    const error = STATUS_CODES[statusCode] ?? 'Error'
    return { statusCode, code, error, message, ...(fields && { fields }) }
  }

  // With `expose` it is how errors of http-errors look: frameworks on Fastify know those, and no others.
  /** The same as `statusCode`. */
  get status(): number {
    return this.statusCode
  }

  /** The message is made for clients, under any status. */
  get expose(): boolean {
    return true
  }
}

/** A text that says more of a field's fault than its code does, and the number in it. */
export interface FieldDetail {
  text: keyof typeof en.details
  count?: number | undefined
}

/** Kept beside the fields, which are on the wire as they are: what each is told by, in whatever language. */
const details = new WeakMap<FieldError, FieldDetail>()

/** @param detail where more can be said than the code does */
export function fieldError(field: string, code: FieldErrorCode, detail?: FieldDetail): FieldError {
  const error: FieldError = { field, code, message: english.texts.fields[code] }
  if (detail !== undefined) {
    details.set(error, detail)
    error.message = english.say(english.texts.details[detail.text], { count: detail.count })
  }
  return error
}

/** Bad input, with the fields that are at fault. */
/** So many are told of: a request of thousands of strange names gets no answer ten times its size. */
const mostFaults = 20

export function invalidInput(...fields: FieldError[]): AccountsError {
  return new AccountsError('ACCOUNTS_INVALID_INPUT', { fields: fields.slice(0, mostFaults) })
}

/** The same error as it is told in a language. */
export function translated(error: AccountsError, language: Language): AccountsError {
  const fields = error.fields?.map((each) => translatedField(each, language))
  return copyOf(error, { message: language.texts.errors[error.code], fields })
}

/** Has every refusal within some work name the account that the work is about. */
export async function about<T>(user: { id: string } | null, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (user === null || !(error instanceof AccountsError)) throw error
    throw copyOf(error, { userId: user.id })
  }
}

/** The one that was thrown stays as it is, since others may hold it. */
function copyOf(
  error: AccountsError,
  changes: Pick<ConstructorParameters<typeof AccountsError>[1] & object, 'message' | 'fields' | 'userId'>,
): AccountsError {
  const { code, message, fields, retryAfter, limit, userId, cause, stack } = error
  const known = { message, fields, retryAfter, limit, userId, ...(cause !== undefined && { cause }) }
  const copy = new AccountsError(code, { ...known, ...changes })
  if (stack !== undefined) copy.stack = stack
  return copy
}

function translatedField(error: FieldError, { texts, say }: Language): FieldError {
  const { field, code } = error
  const detail = details.get(error)
  const message =
    detail === undefined ? texts.fields[code] : say(texts.details[detail.text], { count: detail.count })
  return { field, code, message }
}
