import { AssertionError } from 'node:assert'

/** One law, ready to run under any test runner: `test(name, run)`. */
export interface ConformanceCase {
  /** The law's number and meaning. */
  name: string
  /** Rejects with an `AssertionError` of one line where the law is broken. */
  run(): Promise<void>
}

/** What `runCases` found. */
export interface CaseReport {
  /** How many laws hold. */
  passed: number
  /** The laws that do not, and why. */
  failures: { name: string; reason: string }[]
}

/** A law, told as a function of the thing under test. */
export type Laws<Subject> = Record<string, (subject: Subject) => Promise<void>>

/**
 * Runs cases without a test runner, one after the other, and prints a line for each law that is broken.
 *
 * @param write where the lines go; standard output by default
 * @returns never rejects for a broken law: `failures` tells
 */
export async function runCases(
  cases: readonly ConformanceCase[],
  write: (line: string) => void = (line) => void process.stdout.write(`${line}\n`),
): Promise<CaseReport> {
  const report: CaseReport = { passed: 0, failures: [] }
  for (const { name, run } of cases) {
    try {
      await run()
      report.passed += 1
    } catch (error) {
      const failure = { name, reason: firstLine(error) }
      report.failures.push(failure)
      write(`not ok - ${failure.name} - ${failure.reason}`)
    }
  }
  write(`${report.passed} of ${cases.length} laws hold`)
  return report
}

/** A case a law, each on a subject of its own, which is freed afterwards. */
export function casesOf<Subject>(
  laws: Laws<Subject>,
  make: () => Promise<Subject> | Subject,
  free: (subject: Subject) => Promise<void> | undefined = () => undefined,
): ConformanceCase[] {
  return Object.entries(laws).map(([name, law]) => ({
    name,
    async run() {
      const subject = await make()
      try {
        await law(subject)
      } catch (error) {
        throw error instanceof AssertionError ? error : unexpected(error)
      } finally {
        // Closing has a law of its own; here it must not hide why another one is broken.
        await Promise.resolve(free(subject)).catch(() => undefined)
      }
    },
  }))
}

function unexpected(error: unknown): AssertionError {
  const failure = new AssertionError({ message: `threw ${withCauses(error)}` })
  failure.cause = error
  return failure
}

/** A driver's error is often wrapped: what happened stands in its causes. */
function withCauses(error: unknown): string {
  const lines: string[] = []
  for (let each = error; each !== undefined && lines.length < 5; each = (each as { cause?: unknown })?.cause)
    lines.push(firstLine(each))
  return lines.join(', caused by ')
}

function firstLine(error: unknown): string {
  const text = error instanceof AssertionError ? error.message : String(error)
  return text.split('\n', 1).join()
}
