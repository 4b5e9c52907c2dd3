import { AssertionError } from 'node:assert'
import { callOf, noted } from './calls.js'
import { inOneLine, show } from './checks.js'

/** One law, ready to run under any test runner: `test(name, run)`. */
export interface ConformanceCase {
  /** The law's number and meaning. */
  name: string
  /**
   * Rejects with a one-line `AssertionError` if the law is broken. A law about something the adapter omits is skipped
   * through the first argument, if that has a `skip` as in vitest and `node:test`; otherwise it passes.
   */
  run(...context: unknown[]): Promise<void>
}

/** The result of `runCases`. */
export interface CaseReport {
  /** How many laws hold. */
  passed: number
  /** The broken laws, and why. */
  failures: { name: string; reason: string }[]
  /** The laws that were not checked, and what the adapter omits. */
  skipped: { name: string; reason: string }[]
}

/** A law as a function of the thing under test, and of a second handle on the same data, or the same one again. */
export type Law<Subject> = (subject: Subject, second: Subject) => Promise<void>
export type Laws<Subject> = Record<string, Law<Subject>>

/** One handle, or two on the same data. */
export type Handles<Subject> = Subject | readonly [Subject, Subject]

/**
 * Runs cases without a test runner, one after the other, and prints a line for each broken law. A reason that has been
 * printed before is replaced by the law that it broke first.
 *
 * @param write receives the lines; prints to standard output by default
 * @returns never rejects for a broken law: see `failures`
 */
export async function runCases(
  cases: readonly ConformanceCase[],
  write: (line: string) => void = (line) => void process.stdout.write(`${line}\n`),
): Promise<CaseReport> {
  const report: CaseReport = { passed: 0, failures: [], skipped: [] }
  /** The law that each cause broke first. */
  const firstWith = new Map<string, string>()
  for (const { name, run } of cases) {
    const before = report.skipped.length
    try {
      await run({ skip: (reason: string) => report.skipped.push({ name, reason }) })
      if (report.skipped.length === before) report.passed += 1
    } catch (error) {
      const reason = inOneLine(error)
      report.failures.push({ name, reason })
      // One cause often breaks many laws, such as a missing table.
      const cause = error instanceof Error && error.cause !== undefined ? show(error.cause) : reason
      const told = firstWith.get(cause)
      if (told === undefined) firstWith.set(cause, name)
      write(`not ok - ${name} - ${told === undefined ? reason : `for the same reason as ${told}`}`)
    }
  }
  const missing = [...new Set(report.skipped.map(({ reason }) => reason.replace('not checked: ', '')))]
  const besides = missing.length > 0 ? `; not checked: ${missing.join(', ')}` : ''
  write(`${report.passed} of ${cases.length} laws hold${besides}`)
  return report
}

/** One case per law, each with its own subject, which is freed afterwards. */
export function casesOf<Subject extends object>(
  laws: Laws<Subject>,
  make: () => Promise<Handles<Subject>> | Handles<Subject>,
  free: (subject: Subject) => Promise<void> | undefined = () => undefined,
): ConformanceCase[] {
  return Object.entries(laws).map(([name, law]) => ({
    name,
    // No declared parameter: Jest would pass a callback and wait for it.
    async run(...[context]) {
      const handles = handlesOf(await make())
      const [subject, second = subject] = handles.map(noted) as [Subject, Subject?]
      try {
        await law(subject, second)
      } catch (error) {
        if (error instanceof NotChecked) skip(context, error.message)
        else throw error instanceof AssertionError ? error : unexpected(error)
      } finally {
        // Closing has its own law; here it must not hide why another one is broken.
        for (const each of handles) await Promise.resolve(free(each)).catch(() => undefined)
      }
    },
  }))
}

/** Ends a law about something that the adapter omits. */
export function notChecked(what: string): never {
  throw new NotChecked(`not checked: ${what}`)
}

/** A subject with an optional method. */
export type Having<Subject, Name extends keyof Subject> = Subject & Required<Pick<Subject, Name>>

/** A law about a method that a subject may omit, in which case it isn't checked. */
export function lawOf<Subject, Name extends keyof Subject & string>(
  name: Name,
  law: Law<Having<Subject, Name>>,
): Law<Subject> {
  const has = (subject: Subject): subject is Having<Subject, Name> => subject[name] !== undefined
  return async (subject, second) => (has(subject) && has(second) ? law(subject, second) : notChecked(name))
}

/** Alternates: even calls use one handle, odd ones the other. */
export function inTurns<Subject>(subject: Subject, second: Subject): (call: number) => Subject {
  return (call) => (call % 2 === 0 ? subject : second)
}

class NotChecked extends Error {}

function handlesOf<Subject>(handles: Handles<Subject>): readonly [Subject, ...Subject[]] {
  return isPair(handles) ? handles : [handles]
}

/** Whether two handles were made. */
export function isPair<Subject>(handles: Handles<Subject>): handles is readonly [Subject, Subject] {
  return Array.isArray(handles)
}

function skip(context: unknown, reason: string): void {
  const { skip } = Object(context) as { skip?: unknown }
  if (typeof skip === 'function') skip.call(context, reason)
}

function unexpected(error: unknown): AssertionError {
  const failure = new AssertionError({ message: `${callOf(error)}threw ${show(error)}` })
  failure.cause = error
  return failure
}
