import assert from 'node:assert'
import { inspect, isDeepStrictEqual } from 'node:util'
import { InvalidArgumentError } from 'fastify-accounts'

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

/**
 * Fails with one line that names the first difference. Dates are compared by the millisecond, the identities of a user
 * in any order.
 */
export function same(actual: unknown, expected: unknown, what: string): void {
  if (isDeepStrictEqual(actual, expected)) return
  const [found, wanted] = [plain(actual), plain(expected)]
  if (!isDeepStrictEqual(found, wanted)) assert.fail(firstDifference(found, wanted, what))
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

/**
 * Halves of the items, so many that of every two different items each is once chosen without the other: what a call does
 * to items that it wasn't given shows after one call for half of them.
 */
export function halves<Item>(items: readonly Item[]): { chosen: Item[]; others: Item[] }[] {
  const bits = range(Math.ceil(Math.log2(items.length)))
  return bits.flatMap((bit) => {
    const has = items.map((_, index) => ((index >> bit) & 1) === 1)
    const [one, other] = [true, false].map((side) => items.filter((_, index) => has[index] === side))
    if (one === undefined || other === undefined) return []
    return [
      { chosen: one, others: other },
      { chosen: other, others: one },
    ]
  })
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

/** Characters of a value in a line. */
const longest = 120

/** A value in one line. An error with its causes, because drivers' errors are often wrapped. */
export function show(value: unknown): string {
  if (value instanceof Error) return withCauses(value)
  const text = inspect(value, { breakLength: Number.POSITIVE_INFINITY, depth: 4 }).replace(
    /[\n\u2028\u2029]/g,
    ' ',
  )
  return text.length > longest ? `${text.slice(0, longest - 3)}...` : text
}

function withCauses(error: Error): string {
  const lines: string[] = []
  for (let each: unknown = error; each !== undefined && lines.length < 5; each = Object(each).cause)
    lines.push(each instanceof Error ? `${each.name}: ${inOneLine(each)}` : inOneLine(each))
  return lines.join(', caused by ')
}

/**
 * The message of an error, or of whatever else was thrown, in one line: its first line that isn't blank, and its last one
 * if they differ, where some libraries name the cause below the statement.
 */
export function inOneLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  const lines = text.split('\n').map((line) => line.trim())
  const told = lines.filter((line) => /[\p{L}\p{N}]/u.test(line))
  const [first = '', last = first] = [told[0], told.at(-1)]
  return last === first ? first : `${first} … ${last}`
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
  if (typeof value !== 'object' || value === null || value instanceof Error) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      key === 'identityKeys' && Array.isArray(item) ? item.toSorted() : plain(item),
    ]),
  )
}

function firstDifference(actual: unknown, expected: unknown, path: string): string {
  if (isRecord(actual) && isRecord(expected)) {
    for (const key of Object.keys({ ...expected, ...actual })) {
      if (!isDeepStrictEqual(actual[key], expected[key])) {
        return firstDifference(actual[key], expected[key], `${path}.${key}`)
      }
    }
  }
  const [found, wanted] = [show(actual), show(expected)]
  if (found.length < longest && wanted.length < longest) return `${path} is ${found} instead of ${wanted}`
  return differenceInside(actual, expected, path) ?? `${path} is ${found} instead of ${wanted}`
}

/** Where two long lists or texts differ, which their beginnings don't show. */
function differenceInside(actual: unknown, expected: unknown, path: string): string | undefined {
  const isList = Array.isArray(actual) && Array.isArray(expected)
  if (!isList && (typeof actual !== 'string' || typeof expected !== 'string')) return
  if (actual.length !== expected.length)
    return `${path} has ${actual.length} ${isList ? 'items' : 'characters'} instead of ${expected.length}`
  const at = range(actual.length).find((index) => !isDeepStrictEqual(actual[index], expected[index])) ?? 0
  if (isList) return firstDifference(actual[at], expected[at], `${path}[${at}]`)
  return `${path} is ${show(actual.slice(at))} instead of ${show(expected.slice(at))} from character ${at}`
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date)
}
