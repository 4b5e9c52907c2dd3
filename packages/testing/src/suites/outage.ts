import { DuplicateError, InvalidArgumentError, RefusedError } from 'fastify-accounts'
import { callOf } from './calls.js'
import { notChecked } from './cases.js'
import { check, rejects, show } from './checks.js'

/** Options of suites of stores. What you omit isn't checked. */
export interface OutageOptions {
  /**
   * Makes every later call fail of the stores made last, as far as it asks their database: renames a table, for example,
   * or closes the connection. If it returns a function that ends this, the suite then checks that nothing has changed.
   */
  fail?: (() => Promise<Repair> | Promise<void> | Repair | void) | undefined
}

/** Calls of a store, by name. */
export type Calls = Readonly<Record<string, () => Promise<unknown>>>

type Repair = () => Promise<void> | void

/** Makes the database fail for a while. Resolves to whether it works again. */
export async function whileDown(fail: OutageOptions['fail'], run: () => Promise<void>): Promise<boolean> {
  if (fail === undefined) return notChecked('fail')
  const repair = await fail()
  try {
    await run()
  } finally {
    await repair?.()
  }
  return repair !== undefined
}

/** Fails unless each call rejects while there is an outage. Resolves to whether it is over. */
export async function rejectsWhileDown(fail: OutageOptions['fail'], calls: Calls): Promise<boolean> {
  return whileDown(fail, async () => {
    for (const [what, call] of Object.entries(calls))
      isOutage(await rejects(Error, call, `${what} during an outage`))
  })
}

/** Fails if an error says that the call was wrong, instead of the database. */
export function isOutage(error: unknown): void {
  const isBlamed = [DuplicateError, InvalidArgumentError, RefusedError].some((kind) => error instanceof kind)
  check(!isBlamed, `${callOf(error) || 'a call '}threw ${show(error)} during an outage`)
}
