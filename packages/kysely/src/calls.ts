import { setTimeout as sleep } from 'node:timers/promises'
import { DuplicateError, InvalidArgumentError, UnavailableError } from 'fastify-accounts'
import { failureOf, SchemaError } from './errors.js'

/** How often a statement is tried that the engine undid because of another one at the same moment. */
export const tries = 5

/** Milliseconds before try `n` + 1: 10, 20, 40, 80, more or less, so that two that met do not meet again. */
function pause(n: number): number {
  return 5 * 2 ** n * (0.5 + Math.random())
}

/** What stands between a store's methods and the database: retries, typed errors, and an orderly end. */
export interface Calls {
  /**
   * Runs `work`, and again while the engine undid it, at most `tries` times.
   * @param work applies its effect at most once: one statement, or one transaction
   * @throws UnavailableError for whatever is not one of the seam's errors already; the driver's error is its cause
   */
  run<T>(work: () => Promise<T>): Promise<T>

  /** Refuses further calls, waits for those under way, then frees what was handed to `createCalls`. */
  close(): Promise<void>
}

/** @param free run once at the end, after the last call */
export function createCalls(free: () => Promise<void>): Calls {
  let underWay = 0
  let onIdle = (): void => {}
  let closing: Promise<void> | undefined

  return {
    async run(work) {
      if (closing) throw new UnavailableError('the store is closed')
      underWay += 1
      try {
        return await withRetries(work)
      } finally {
        underWay -= 1
        if (underWay === 0) onIdle()
      }
    },

    close() {
      closing ??= new Promise<void>((resolve) => {
        onIdle = resolve
        if (underWay === 0) resolve()
      }).then(free)
      return closing
    },
  }
}

/** The retries of `Calls.run`, for what is no store. */
export async function withRetries<T>(work: () => Promise<T>): Promise<T> {
  for (let n = 1; ; n++) {
    try {
      return await work()
    } catch (error) {
      if (isTold(error)) throw error
      // A duplicate that arrives here was one whose other half is gone by now.
      if (failureOf(error) === 'broken' || n === tries) {
        // Driver texts may hold SQL, values and host names: they stay in the cause.
        throw new UnavailableError('the database cannot answer', { cause: error })
      }
      await sleep(pause(n))
    }
  }
}

/** Says already what the caller has to know. */
function isTold(error: unknown): boolean {
  return (
    error instanceof DuplicateError ||
    error instanceof InvalidArgumentError ||
    error instanceof UnavailableError ||
    error instanceof SchemaError
  )
}
