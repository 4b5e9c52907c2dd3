import { STATUS_CODES } from 'node:http'
import type { FeatureErrors } from './feature-names.js'
import { en } from './languages/en.js'
import { english, type Language } from './languages/languages.js'

/** What an error is about: the contract. */
export type ErrorCode = CoreErrorCode | keyof FeatureErrors

/** Codes that every mount has. */
export type CoreErrorCode =
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

/** Every error that a route answers with: its status and its text in English. The code is the contract, the text may change. */
export const errorTable: Readonly<Record<CoreErrorCode, readonly [status: number, message: string]>> = {
  ACCOUNTS_INVALID_INPUT: [400, en.errors.ACCOUNTS_INVALID_INPUT],
  ACCOUNTS_INVALID_LINK: [400, en.errors.ACCOUNTS_INVALID_LINK],
  ACCOUNTS_INVALID_CREDENTIALS: [401, en.errors.ACCOUNTS_INVALID_CREDENTIALS],
  ACCOUNTS_SECOND_FACTOR_REQUIRED: [401, en.errors.ACCOUNTS_SECOND_FACTOR_REQUIRED],
  ACCOUNTS_INVALID_CODE: [401, en.errors.ACCOUNTS_INVALID_CODE],
  ACCOUNTS_LOGIN_EXPIRED: [401, en.errors.ACCOUNTS_LOGIN_EXPIRED],
  ACCOUNTS_LOGIN_REQUIRED: [401, en.errors.ACCOUNTS_LOGIN_REQUIRED],
  ACCOUNTS_NOT_VERIFIED: [403, en.errors.ACCOUNTS_NOT_VERIFIED],
  ACCOUNTS_DISABLED: [403, en.errors.ACCOUNTS_DISABLED],
  ACCOUNTS_FORBIDDEN: [403, en.errors.ACCOUNTS_FORBIDDEN],
  ACCOUNTS_CONFIRMATION_REQUIRED: [403, en.errors.ACCOUNTS_CONFIRMATION_REQUIRED],
  ACCOUNTS_ENROLLMENT_REQUIRED: [403, en.errors.ACCOUNTS_ENROLLMENT_REQUIRED],
  ACCOUNTS_CROSS_SITE: [403, en.errors.ACCOUNTS_CROSS_SITE],
  ACCOUNTS_NOT_FOUND: [404, en.errors.ACCOUNTS_NOT_FOUND],
  ACCOUNTS_METHOD_NOT_ALLOWED: [405, en.errors.ACCOUNTS_METHOD_NOT_ALLOWED],
  ACCOUNTS_USERNAME_TAKEN: [409, en.errors.ACCOUNTS_USERNAME_TAKEN],
  ACCOUNTS_EMAIL_TAKEN: [409, en.errors.ACCOUNTS_EMAIL_TAKEN],
  ACCOUNTS_CONFLICT: [409, en.errors.ACCOUNTS_CONFLICT],
  ACCOUNTS_THROTTLED: [429, en.errors.ACCOUNTS_THROTTLED],
  ACCOUNTS_UNAVAILABLE: [503, en.errors.ACCOUNTS_UNAVAILABLE],
}

/** Those of features, known once a mount has one of them; in each mount they mean the same. */
const featureErrors = new Map<string, readonly [status: number, message: string]>()

/**
 * Makes the codes of a feature known.
 * @throws TypeError with one line where a code means something else already
 */
export function addErrors(
  errors: Readonly<Record<string, readonly [status: number, message: string]>>,
): void {
  for (const [code, [status, message]] of Object.entries(errors)) {
    const known = Object.hasOwn(errorTable, code)
      ? errorTable[code as CoreErrorCode]
      : featureErrors.get(code)
    if (known !== undefined && (known[0] !== status || Object.hasOwn(errorTable, code)))
      throw new TypeError(`the error code ${code} belongs to another feature`)
    featureErrors.set(code, [status, message])
  }
}

/** Status and English text of a code. */
export function errorFacts(code: ErrorCode): readonly [status: number, message: string] {
  const facts = Object.hasOwn(errorTable, code) ? errorTable[code as CoreErrorCode] : featureErrors.get(code)
  if (facts === undefined) throw new TypeError(`${code} is not an error code of any registered feature`)
  return facts
}

/** What is wrong with one field. */
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

/** The body of an error answer, where the host has no error handler of its own. */
export interface ErrorBody {
  statusCode: number
  code: ErrorCode
  error: string
  message: string
  fields?: FieldError[]
  factors?: readonly string[]
  provider?: string
}

/** An outcome that a client is told of, by its code. */
export class AccountsError extends Error {
  override readonly name = 'AccountsError'
  readonly code: ErrorCode
  readonly statusCode: number
  /** With ACCOUNTS_INVALID_INPUT: which fields, and why. */
  readonly fields: FieldError[] | undefined
  /** With ACCOUNTS_SECOND_FACTOR_REQUIRED: what completes the login (`totp`, `passkey`, `recovery-code`). */
  readonly factors: readonly string[] | undefined
  /** Which login provider the error is about, as people read it. */
  readonly provider: string | undefined
  /** With ACCOUNTS_THROTTLED and ACCOUNTS_UNAVAILABLE: seconds until a new try makes sense. */
  readonly retryAfter: number | undefined
  /** With ACCOUNTS_THROTTLED: how many attempts the limit allows. */
  readonly limit: number | undefined
  /** The account that was refused, where there is one: for the audit trail, never for the client. */
  readonly userId: string | undefined

  constructor(
    code: ErrorCode,
    details: {
      fields?: FieldError[] | undefined
      factors?: readonly string[] | undefined
      provider?: string | undefined
      retryAfter?: number | undefined
      limit?: number | undefined
      cause?: unknown
      /** A text of the catalogue that says more than the code does. Default: that of the code. */
      text?: keyof typeof en.details | undefined
      /** Default: the text, in English. */
      message?: string
      userId?: string | undefined
    } = {},
  ) {
    const [statusCode, message] = errorFacts(code)
    const own = details.text && english.say(english.texts.details[details.text], {})
    const { provider } = details
    super(
      details.message ?? own ?? (provider === undefined ? message : english.say(message, { provider })),
      details.cause === undefined ? undefined : { cause: details.cause },
    )
    this.code = code
    this.statusCode = statusCode
    this.fields = details.fields
    this.factors = details.factors
    this.provider = provider
    this.retryAfter = details.retryAfter
    this.limit = details.limit
    this.userId = details.userId
    if (details.text !== undefined) ownTexts.set(this, details.text)
  }

  /** The body that the plugin itself answers with. */
  toJSON(): ErrorBody {
    const { statusCode, code, message, fields, factors, provider } = this
    const error = STATUS_CODES[statusCode] ?? 'Error'
    const details = { ...(fields && { fields }), ...(factors && { factors }), ...(provider && { provider }) }
    return { statusCode, code, error, message, ...details }
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

/** Errors that are told by another text than that of their code. */
const ownTexts = new WeakMap<AccountsError, keyof typeof en.details>()

/** A text that says more of a field's fault than its code does, and the number in it; or a text of the host's. */
export type FieldDetail = { text: keyof typeof en.details; count?: number | undefined } | { message: string }

/** Kept beside the fields, which are on the wire as they are: what each is told by, in whatever language. */
const details = new WeakMap<FieldError, FieldDetail>()

/** @param detail where more can be said than the code does */
/** One field error, with the message of its code. */
export function fieldError(field: string, code: FieldErrorCode, detail?: FieldDetail): FieldError {
  const error: FieldError = { field, code, message: english.texts.fields[code] }
  if (detail !== undefined) {
    details.set(error, detail)
    error.message = sayDetail(detail, english)
  }
  return error
}

function sayDetail(detail: FieldDetail, { say, texts }: Language): string {
  return 'message' in detail ? detail.message : say(texts.details[detail.text], { count: detail.count })
}

/** Bad input, with the fields that are at fault. */
/** So many are told of: a request of thousands of strange names gets no answer ten times its size. */
const mostFaults = 20

/** The error `ACCOUNTS_INVALID_INPUT` for the given fields. */
export function invalidInput(...fields: FieldError[]): AccountsError {
  return new AccountsError('ACCOUNTS_INVALID_INPUT', { fields: fields.slice(0, mostFaults) })
}

/**
 * What a route refuses a request with before anything is done. It has no stack: to write one down takes longer than all the
 * rest of the answer, and refusals are what a flood of requests gets.
 */
export function refusal(...given: ConstructorParameters<typeof AccountsError>): AccountsError {
  return withoutStack(() => new AccountsError(...given))
}

function withoutStack<T>(make: () => T): T {
  const { stackTraceLimit } = Error
  // Where the intrinsics are frozen this does nothing, and there is a stack.
  Reflect.set(Error, 'stackTraceLimit', 0)
  try {
    return make()
  } finally {
    Reflect.set(Error, 'stackTraceLimit', stackTraceLimit)
  }
}

/** The same error as it is told in a language. */
export function translated(error: AccountsError, language: Language): AccountsError {
  const fields = error.fields?.map((each) => translatedField(each, language))
  const text = ownTexts.get(error)
  const message =
    text !== undefined
      ? language.say(language.texts.details[text], {})
      : error.provider !== undefined
        ? language.say(language.texts.errors[error.code], { provider: error.provider })
        : language.texts.errors[error.code]
  // Most refusals have no fields, and are answered in English: then it says what is to be told already.
  if (fields === undefined && message === error.message) return error
  return copyOf(error, { message, fields })
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
  const { code, message, fields, factors, provider, retryAfter, limit, userId, cause } = error
  const text = ownTexts.get(error)
  const known = {
    message,
    text,
    fields,
    factors,
    provider,
    retryAfter,
    limit,
    userId,
    ...(cause !== undefined && { cause }),
  }
  const copy = refusal(code, { ...known, ...changes })
  // V8 writes a stack down when it is first read, which is slow; most are never read.
  Object.defineProperty(copy, 'stack', { get: () => error.stack, configurable: true })
  return copy
}

function translatedField(error: FieldError, language: Language): FieldError {
  const { field, code } = error
  const detail = details.get(error)
  const message = detail === undefined ? language.texts.fields[code] : sayDetail(detail, language)
  return { field, code, message }
}
