import assert from 'node:assert'
import { inspect, isDeepStrictEqual } from 'node:util'
import { InvalidArgumentError } from '../seams/store-errors.js'

/** Parallel calls in a race: enough to reveal a check made before the write. */
export const parallelCalls = 50

/** Races are rarely lost, so there are at least this many rounds, and more while they are fast. */
const [fewestRounds, mostRounds, roundsTime] = [20, 100, 300]

/**
 * Repeats a race on fresh keys: the first round with many callers, the others with few.
 *
 * @param run gets the numbers of the callers and of the round
 */
export async function rounds(
  many: number,
  few: number,
  run: (callers: number[], round: number) => Promise<void>,
): Promise<number> {
  const end = performance.now() + roundsTime
  let round = 0
  while (round < fewestRounds || (round < mostRounds && performance.now() < end)) {
    await run(range(round === 0 ? many : few), round)
    round += 1
  }
  return round
}

/** Patterns, quotes and operators of query languages: a store takes them literally. */
export const hostileTexts: readonly string[] = [
  '%',
  '_',
  '*',
  '.*',
  '^a',
  "a' OR '1'='1",
  'a"b',
  'a`b',
  'a\\',
  'a\\%',
  '$ne',
  '{"$ne":1}',
  '#{a}',
  '?',
  '$1',
  ':id',
  '-- a',
  'null',
  'undefined',
  '__proto__',
  'constructor',
  'toString',
  'a,b',
  'a\tb',
  '../a',
]

/** All distinct; engines that compare by language or trim would merge some of them. */
export const nearlyEqualTexts: readonly string[] = [
  'a',
  'A',
  'á',
  'a\u0301',
  'ä',
  'ａ',
  'a ',
  ' a',
  'a\u200d',
  'ss',
  'ß',
  'i',
  'ı',
  'İ',
  'k',
  '\u212a',
]

/** Texts of many scripts that must come back unchanged. */
export const worldlyTexts: readonly string[] = [
  '😀👩‍👩‍👧‍👦',
  'שלום עולם',
  'مرحبا\u200f',
  '\u{2f81a}\u{1d49c}',
  'Straße İstanbul',
  '漢字かな',
  '\u202eabc',
]

const loneSurrogates = ['a\ud800', '\udc00a']

/** Invalid keys: not a string, blank, or a text that engines store differently. */
export const notKeys: unknown[] = [
  undefined,
  null,
  '',
  0,
  1,
  Number.NaN,
  true,
  [],
  ['a'],
  {},
  { $ne: 1 },
  Object('a'),
  'a\0',
  '\0',
  ...loneSurrogates,
]

/** Texts that a store keeps unchanged or rejects, but never alters. */
export const troublesomeTexts: readonly string[] = ['a\0b', ...loneSurrogates]

/** Fails with one line unless the condition holds. */
export function check(condition: unknown, message: string): asserts condition {
  assert.ok(condition, message)
}

/** Fails with one line that names the first difference. Dates are compared by the millisecond. */
export function same(actual: unknown, expected: unknown, what: string): void {
  if (isDeepStrictEqual(plain(actual), plain(expected))) return
  assert.fail(firstDifference(actual, expected, what))
}

/** Fails unless the call rejects with this kind of error. Returns the error. */
export async function rejects<E extends Error>(
  kind: abstract new (...args: never[]) => E,
  call: () => Promise<unknown>,
  what: string,
): Promise<E> {
  const { error, value } = await outcome(call)
  if (error instanceof kind) return error
  const instead = error === undefined ? `returned ${show(value)}` : `threw ${show(error)}`
  return assert.fail(`${what} ${instead} instead of throwing ${kind.name}`)
}

/** Fails unless each of these values is rejected as an argument. */
export async function refusesKeys(what: string, call: (key: string) => Promise<unknown>): Promise<void> {
  for (const value of notKeys) {
    await rejects(InvalidArgumentError, () => call(value as string), `${what}(${show(value)})`)
  }
}

/** Runs calls at the same moment. Returns the values of those that succeeded and the errors of the others. */
export async function race<T>(calls: (() => Promise<T>)[]): Promise<{ values: T[]; errors: unknown[] }> {
  const settled = await Promise.allSettled(calls.map(async (call) => call()))
  return {
    values: settled.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : [])),
    errors: settled.flatMap((result) => (result.status === 'rejected' ? [result.reason] : [])),
  }
}

/** These calls with another one among them: at the beginning, in the middle or at the end, as the round says. */
export function among<Call>(calls: readonly Call[], other: Call, round: number): Call[] {
  return calls.toSpliced(Math.floor(((round % 3) * calls.length) / 2), 0, other)
}

export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}

/** The numbers from 0 to below `count`. */
export function range(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index)
}

/** `length` code points of pseudo-random letters: equal runs, no accidental order. */
export function scramble(length: number, letters = 'abcdefghijklmnopqrstuvwxyz0123456789'): string {
  const alphabet = [...letters]
  let state = length + 1
  return range(length)
    .map(() => {
      state = (state * 48271) % 2147483647
      return alphabet[state % alphabet.length]
    })
    .join('')
}

/** A value in one line. An error with its causes, because drivers' errors are often wrapped. */
export function show(value: unknown): string {
  if (value instanceof Error) return withCauses(value)
  const text = inspect(value, { breakLength: Number.POSITIVE_INFINITY, depth: 4 }).replace(
    /[\n\u2028\u2029]/g,
    ' ',
  )
  return text.length > 120 ? `${text.slice(0, 117)}...` : text
}

function withCauses(error: Error): string {
  const lines: string[] = []
  for (let each: unknown = error; each !== undefined && lines.length < 5; each = Object(each).cause)
    lines.push(each instanceof Error ? `${each.name}: ${firstLine(each)}` : firstLine(each))
  return lines.join(', caused by ')
}

/** The first line of an error's message, or of whatever else was thrown. */
export function firstLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return text.split('\n', 1).join()
}

async function outcome(call: () => Promise<unknown>): Promise<{ value?: unknown; error?: unknown }> {
  try {
    return { value: await call() }
  } catch (error) {
    return { error }
  }
}

/** A copy with this realm's prototypes: test runners that sandbox files would see others. */
function plain(value: unknown): unknown {
  if (Object.prototype.toString.call(value) === '[object Date]') return new Date(Number(value))
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item)]))
}

function firstDifference(actual: unknown, expected: unknown, path: string): string {
  if (isRecord(actual) && isRecord(expected)) {
    for (const key of Object.keys({ ...expected, ...actual })) {
      if (!isDeepStrictEqual(plain(actual[key]), plain(expected[key]))) {
        return firstDifference(actual[key], expected[key], `${path}.${key}`)
      }
    }
  }
  return `${path} is ${show(actual)} instead of ${show(expected)}`
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date)
}
