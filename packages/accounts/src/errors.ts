import { STATUS_CODES } from 'node:http'
import { markError, shared } from './copies.js'
import type { FeatureErrors } from './feature-names.js'
import { en } from './languages/en.js'
import { english, type Language } from './languages/languages.js'
import type { Texts } from './languages/texts.js'

/** What an error is about: the contract. */
export type ErrorCode = CoreErrorCode | keyof FeatureErrors

/** Why, by the codes with several meanings: the groups below `reasons` in the texts of the core and of features. */
type ErrorReasons = {
  [Code in keyof Texts['reasons']]: keyof Texts['reasons'][Code] & string
}

/** Why, with a code that has several meanings between which people act differently. */
export type ErrorReason = ErrorReasons[keyof ErrorReasons]

/** The codes of every mount, with their statuses. */
const statuses = {
  ACCOUNTS_INVALID_INPUT: 400,
  ACCOUNTS_INVALID_LINK: 400,
  ACCOUNTS_INVALID_CREDENTIALS: 401,
  ACCOUNTS_INVALID_OR_NOT_VERIFIED: 401,
  ACCOUNTS_SECOND_FACTOR_REQUIRED: 401,
  ACCOUNTS_INVALID_CODE: 401,
  ACCOUNTS_LOGIN_EXPIRED: 401,
  ACCOUNTS_LOGIN_REQUIRED: 401,
  ACCOUNTS_NOT_VERIFIED: 403,
  ACCOUNTS_DISABLED: 403,
  ACCOUNTS_FORBIDDEN: 403,
  ACCOUNTS_CONFIRMATION_REQUIRED: 403,
  ACCOUNTS_ENROLLMENT_REQUIRED: 403,
  ACCOUNTS_CROSS_SITE: 403,
  ACCOUNTS_NOT_FOUND: 404,
  ACCOUNTS_METHOD_NOT_ALLOWED: 405,
  ACCOUNTS_REQUEST_TIMEOUT: 408,
  ACCOUNTS_USERNAME_TAKEN: 409,
  ACCOUNTS_EMAIL_TAKEN: 409,
  ACCOUNTS_CONFLICT: 409,
  ACCOUNTS_THROTTLED: 429,
  ACCOUNTS_UNAVAILABLE: 503,
} as const

type CoreErrorCode = keyof typeof statuses
type ErrorFacts = readonly [status: number, message: string]

/** Every error that a route returns: its status and English text. The code is the contract, the text may change. */
export const errorTable = Object.fromEntries(
  Object.entries(statuses).map(([code, status]): [string, ErrorFacts] => [
    code,
    [status, en.errors[code as CoreErrorCode]],
  ]),
) as Readonly<Record<CoreErrorCode, ErrorFacts>>

/** The codes of features, known once a mount has the feature; they mean the same in each mount. */
const featureErrors = shared('errors', () => new Map<string, ErrorFacts>())

/**
 * Registers the codes of a feature.
 * @throws TypeError with one line if a code already means something else
 */
export function addErrors(errors: Readonly<Record<string, ErrorFacts>>): void {
  for (const [code, facts] of Object.entries(errors)) {
    const registration = featureErrors.get(code)
    if (Object.hasOwn(errorTable, code) || (registration !== undefined && registration[0] !== facts[0]))
      throw new TypeError(`the error code ${code} belongs to another feature`)
    featureErrors.set(code, facts)
  }
}

/** English texts by code, then by reason. */
export type ReasonTexts = Readonly<Record<string, Readonly<Record<string, string>>>>

/** The reasons of features, by code and reason; known once a mount has the feature. */
const featureReasons = shared('reasons', () => new Map<string, string>())

/** Registers the reasons of a feature, of its own codes or of others. */
export function addReasons(reasons: ReasonTexts): void {
  for (const [code, texts] of Object.entries(reasons))
    for (const [reason, text] of Object.entries(texts)) featureReasons.set(`${code} ${reason}`, text)
}

/** The English text of a reason; `undefined` if the code has no such reason. */
export function reasonText(code: ErrorCode, reason: string): string | undefined {
  return (en.reasons as ReasonTexts)[code]?.[reason] ?? featureReasons.get(`${code} ${reason}`)
}

/** Status and English text of a code. */
export function errorFacts(code: ErrorCode): ErrorFacts {
  const facts = Object.hasOwn(errorTable, code) ? errorTable[code as CoreErrorCode] : featureErrors.get(code)
  if (facts === undefined) throw new TypeError(`${code} is not an error code of any registered feature`)
  return facts
}

/** What is wrong with one field. */
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

/** One error in one field of a request. */
export interface FieldError {
  /** The name over HTTP; `''` if the body as a whole is at fault. */
  field: string
  code: FieldErrorCode
  message: string
}

/** The body of an error response, if the host has no error handler of its own. */
export interface ErrorBody {
  statusCode: number
  code: ErrorCode
  reason?: ErrorReason
  error: string
  message: string
  fields?: FieldError[]
  factors?: readonly string[]
  provider?: string
}

/**
 * An error that is reported to clients by its code. Below 500 it has no stack: a flood of requests mostly gets
 * refusals, and with one a refused request takes 1.3 to 1.4 times the CPU (GET /me/ without a login, PUT /me/).
 */
export class AccountsError extends Error {
  static {
    markError(AccountsError, 'AccountsError')
  }

  override readonly name = 'AccountsError'
  readonly code: ErrorCode
  readonly statusCode: number
  /** Why, with a code that has several meanings. Its text replaces that of the code. */
  readonly reason: ErrorReason | undefined
  /** With ACCOUNTS_INVALID_INPUT: which fields, and why. */
  readonly fields: FieldError[] | undefined
  /**
   * With ACCOUNTS_SECOND_FACTOR_REQUIRED: what completes the login (`passkey`, `totp`, `recovery-code`). With
   * ACCOUNTS_CONFIRMATION_REQUIRED: what confirms, if not everything does (also `email-code`). In the order in which to
   * offer them.
   */
  readonly factors: readonly string[] | undefined
  /** The login provider that the error is about, by its display name. */
  readonly provider: string | undefined
  /** With ACCOUNTS_THROTTLED and ACCOUNTS_UNAVAILABLE: seconds until a retry makes sense. */
  readonly retryAfter: number | undefined
  /** With ACCOUNTS_THROTTLED: how many attempts the limit allows. */
  readonly limit: number | undefined
  /** The refused account, if any: for the audit trail, never for the client, so copying the error leaves it out. */
  declare readonly userId: string | undefined

  constructor(
    code: ErrorCode,
    details: Partial<
      Pick<AccountsError, 'reason' | 'fields' | 'factors' | 'provider' | 'retryAfter' | 'limit' | 'userId'>
    > & {
      cause?: unknown
      /** Default: the text, in English. */
      message?: string
    } = {},
  ) {
    const { reason, provider } = details
    const [statusCode, general] = errorFacts(code)
    const text = reason === undefined ? general : reasonText(code, reason)
    if (text === undefined) throw new TypeError(`${code} has no reason ${reason} in any registered feature`)
    const { stackTraceLimit } = Error
    // Set by Reflect, because the intrinsics may be frozen.
    if (statusCode < 500) Reflect.set(Error, 'stackTraceLimit', 0)
    super(
      details.message ?? say(english, text, provider),
      details.cause === undefined ? undefined : { cause: details.cause },
    )
    Reflect.set(Error, 'stackTraceLimit', stackTraceLimit)
    this.code = code
    this.statusCode = statusCode
    this.reason = reason
    this.fields = details.fields
    this.factors = details.factors
    this.provider = provider
    this.retryAfter = details.retryAfter
    this.limit = details.limit
    Object.defineProperty(this, 'userId', { value: details.userId })
  }

  /** The body of the plugin's own response. */
  toJSON(): ErrorBody {
    const { statusCode, code, reason, message, fields, factors, provider } = this
    const error = STATUS_CODES[statusCode] ?? 'Error'
    const details = { ...(fields && { fields }), ...(factors && { factors }), ...(provider && { provider }) }
    return { statusCode, code, ...(reason && { reason }), error, message, ...details }
  }

  // With `expose` it looks like an error of http-errors, which frameworks on Fastify recognize.
  /** The same as `statusCode`. */
  get status(): number {
    return this.statusCode
  }

  /** The message is made for clients, whatever the status. */
  get expose(): boolean {
    return true
  }
}

/**
 * Why the response is ACCOUNTS_UNAVAILABLE although nothing has failed: a full queue, of which `check()` reports the one for
 * hashes, or an app that closes.
 */
export class BusyError extends Error {
  override readonly name = 'BusyError'
}

/** Most texts have no placeholder, so they need no formatting. */
function say(language: Language, text: string, provider: string | undefined): string {
  return provider === undefined ? text : language.say(text, { provider })
}

/** A text with more detail than the code of a field error, its number and value; or a text of the host's. */
export type FieldDetail =
  | { text: keyof typeof en.details; count?: number | undefined; value?: string }
  | { message: string }

/** Stored separately, because the fields are sent as they are: the texts, for any language. */
const details = shared('details', () => new WeakMap<FieldError, FieldDetail>())

/**
 * One field error, with the message of its code.
 * @param detail if more can be said than the code does
 */
export function fieldError(field: string, code: FieldErrorCode, detail?: FieldDetail): FieldError {
  const error: FieldError = { field, code, message: english.texts.fields[code] }
  if (detail !== undefined) {
    details.set(error, detail)
    error.message = sayDetail(detail, english)
  }
  return error
}

function sayDetail(detail: FieldDetail, { say, texts }: Language): string {
  return 'message' in detail
    ? detail.message
    : say(texts.details[detail.text], { count: detail.count, value: detail.value })
}

/** The most that are reported: thousands of unknown names must not get a response ten times the request's size. */
const mostFaults = 20

/** The error `ACCOUNTS_INVALID_INPUT` for the given fields. */
export function invalidInput(...fields: FieldError[]): AccountsError {
  return new AccountsError('ACCOUNTS_INVALID_INPUT', { fields: fields.slice(0, mostFaults) })
}

/** The error where somebody else has changed the same at the same moment. */
export const changedMeanwhile = (): AccountsError =>
  new AccountsError('ACCOUNTS_CONFLICT', { reason: 'changed_meanwhile' })

/** The same error in another language. */
export function translated(error: AccountsError, language: Language): AccountsError {
  const fields = error.fields?.map((each) => translatedField(each, language))
  const { code, reason, provider } = error
  const { errors, reasons } = language.texts
  const text = reason === undefined ? errors[code] : (reasons as ReasonTexts)[code]?.[reason]
  // A feature that this mount lacks has no texts here.
  const message = text === undefined ? error.message : say(language, text, provider)
  // Most refusals have no fields and are in English, so they need no change.
  if (fields === undefined && message === error.message) return error
  return copyOf(error, { message, fields })
}

/** Adds the account that some work is about to every refusal within it. */
export async function attributed<T>(user: { id: string } | null, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (user === null || !(error instanceof AccountsError)) throw error
    throw copyOf(error, { userId: user.id })
  }
}

/** The original stays unchanged, because others may hold it. */
function copyOf(
  error: AccountsError,
  changes: { message?: string; fields?: FieldError[] | undefined; userId?: string },
): AccountsError {
  const { code, message, cause, userId } = error
  const copy = new AccountsError(code, { ...error, message, cause, userId, ...changes })
  if (copy.statusCode >= 500 && error.stack !== undefined) copy.stack = error.stack
  return copy
}

function translatedField(error: FieldError, language: Language): FieldError {
  const { field, code } = error
  const detail = details.get(error)
  const message = detail === undefined ? language.texts.fields[code] : sayDetail(detail, language)
  return { field, code, message }
}
