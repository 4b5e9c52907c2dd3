import { inspect } from 'node:util'
import type { Catalogue } from '../languages/catalogue.js'
import { type Effect, namesOf } from '../seams/methods.js'
import { shownUrl, webUrl } from '../web-url.js'
import type { Limits } from './limits.js'

/**
 * Checks the value of an option, and returns the effective one.
 * @param option its full name, `session.idleTimeout`
 * @throws Error with one line that names the option
 */
export type Check<Given, Resolved = Given> = (value: Given, option: string, context: Context) => Resolved

/** What features provide for options to name, including the core's own. */
export interface FeatureNames {
  /** Every text, by language tag. */
  readonly catalogue: Catalogue
  /** The tags of languages known to have every text, so no start checks them. */
  readonly complete: readonly string[]
  /** The limits that exist, by name, with their defaults. */
  readonly limits: Limits
  readonly mailKinds: readonly string[]
}

/** What a check or a default may read besides its own option. */
export interface Context extends FeatureNames {
  /** The URL of the option `baseUrl`. */
  readonly site: URL
  /** The options before this one in its group, resolved. */
  readonly siblings: Readonly<Record<string, unknown>>
}

/** Stops the start, with one line that names the option. */
export function fail(option: string, expectation: string): never {
  throw new Error(`fastify-accounts: the option ${option} ${expectation}`)
}

/** Why production needs a store of its own. */
export const lostOnRestart = 'is not set: in production, the default would lose everything on restart'

/** @param option `''` for the options as a whole */
export function checkKeys<T extends object>(option: string, value: T, keys: readonly string[]): T {
  if (!isObject(value)) fail(option === '' ? 'options' : option, 'must be an object')
  for (const key of Object.keys(value)) {
    if (!keys.includes(key)) {
      fail(option === '' ? key : `${option}.${key}`, `does not exist; the options are: ${keys.join(', ')}`)
    }
  }
  return value
}

export const bool: Check<boolean> = (value, option) => {
  if (typeof value !== 'boolean') fail(option, `must be true or false, got ${shown(value)}`)
  return value
}

export function oneOf<const T extends string>(...allowed: readonly T[]): Check<T> {
  return (value, option) =>
    allowed.find((each) => each === value) ??
    fail(option, `must be one of ${allowed.join(', ')}, got ${shown(value)}`)
}

/** A list of at least one of these. */
export function someOf<const T extends string>(...allowed: readonly T[]): Check<readonly T[]> {
  const one = oneOf(...allowed)
  return (value, option, context) => {
    if (!Array.isArray(value) || value.length === 0)
      fail(option, `must be a list of at least one of ${allowed.join(', ')}`)
    return value.map((each) => one(each, option, context))
  }
}

export function pattern(expected: RegExp): Check<string> {
  return (value, option) => {
    if (typeof value !== 'string' || !expected.test(value))
      fail(option, `must match ${expected.source}, got ${shown(value)}`)
    return value
  }
}

/** A path of this site, without a trailing slash. */
export const path: Check<string> = (value, option) => {
  if (typeof value !== 'string' || !/^(\/[A-Za-z0-9._~-]+)*\/?$/.test(value))
    fail(option, `must be a path such as /accounts, got ${shown(value)}`)
  return value.replace(/\/$/, '')
}

/**
 * A path of this site, or a URL.
 * @param expected for the error message
 */
export function link(expected: string): Check<string> {
  return (value, option, { site }) => {
    const url = webUrl(absolute(value, site)) ?? fail(option, `must be ${expected}, got ${shownUrl(value)}`)
    return url.href
  }
}

/** A path of this site as a URL; anything else unchanged. */
export function absolute(value: unknown, site: URL): unknown {
  return typeof value === 'string' && /^\/(?!\/)/.test(value) ? site.origin + value : value
}

/** Whether http is harmless there. */
export function isLoopback({ hostname }: URL): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
}

export function textLine(max: number): Check<string> {
  return (value, option) => {
    const isLine = typeof value === 'string' && value.trim() !== '' && !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(value)
    if (!isLine || value.length > max) fail(option, `must be one line of text, at most ${max} characters`)
    return value
  }
}

/** A time zone that this Node.js knows. */
export const timeZone: Check<string> = (value, option) => {
  try {
    if (typeof value === 'string')
      return new Intl.DateTimeFormat('en', { timeZone: value }).resolvedOptions().timeZone
  } catch {
    // It throws for an unknown one.
  }
  return fail(option, `must be an IANA time zone such as Europe/Berlin, got ${shown(value)}`)
}

interface Range {
  min: number
  max?: number
  /** The number must be a multiple of this one. */
  step?: number
}

export const integer = (range: Range): Check<number> => whole('a whole number', range)

export const milliseconds = (range: Range): Check<number> => whole('a whole number of milliseconds', range)

function whole(what: string, { min, max = Number.MAX_SAFE_INTEGER, step = 1 }: Range): Check<number> {
  return (value, option) => {
    const number = Number.isSafeInteger(value) ? value : Number.NaN
    if (number >= min && number <= max && number % step === 0) return number
    const upTo = max === Number.MAX_SAFE_INTEGER ? '' : ` and at most ${max}`
    const stepwise = step === 1 ? '' : `, a multiple of ${step}`
    return fail(option, `must be ${what}, at least ${min}${upTo}${stepwise}, got ${shown(value)}`)
  }
}

/** An object with the methods that its seam requires. */
export const seam = <T extends object>(methods: { required: Readonly<Record<string, Effect>> }): Check<T> =>
  adapter<T>(...(namesOf(methods.required) as (keyof T & string)[]))

/** An object with these methods. */
export function adapter<T extends object>(...methods: readonly (keyof T & string)[]): Check<T> {
  return (value, option) => {
    if (!isObject(value)) fail(option, `must be an object with the methods ${methods.join(', ')}`)
    const missing = methods.find((method) => typeof value[method] !== 'function')
    if (missing !== undefined) fail(option, `lacks the method ${missing}`)
    return value
  }
}

/** Some properties. One that is `undefined`, as from a variable that isn't set, counts as absent. */
export type Some<T> = { [Name in keyof T]?: T[Name] | undefined }

/** Without the properties that are `undefined`. What is no object stays, for the check to refuse. */
export const withoutUnset = <T extends object>(some: T): T =>
  isObject(some)
    ? (Object.fromEntries(Object.entries(some).filter(([, value]) => value !== undefined)) as T)
    : some

/** Functions by name. */
export function functions<T extends object>(names: readonly string[]): Check<Some<T>, Partial<T>> {
  return (value, option) => {
    checkKeys(option, value, names)
    for (const [name, each] of Object.entries(value)) {
      if (typeof each !== 'function') fail(`${option}.${name}`, 'must be a function')
    }
    return value as Partial<T>
  }
}

/** Any object: it is checked elsewhere. */
export function object<T extends object>(): Check<T> {
  return (value, option) => (isObject(value) ? value : fail(option, 'must be an object'))
}

/** Neither `null` nor a list. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A value that was given, in one line of at most 80 characters. */
export function shown(value: unknown): string {
  // Long lists are several lines at any length.
  const text = inspect(value, { breakLength: Number.POSITIVE_INFINITY, depth: 0 }).replaceAll(/\s+/g, ' ')
  return text.length > 80 ? `${text.slice(0, 79)}…` : text
}
