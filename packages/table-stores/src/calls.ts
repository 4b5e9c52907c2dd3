import { setTimeout as sleep } from 'node:timers/promises'
import {
  AlongsideError,
  ContendedError,
  callDeadline,
  DuplicateError,
  InvalidArgumentError,
  RefusedError,
  UnavailableError,
} from 'fastify-accounts'
import { isMomentary } from './driver-errors.js'

/** What every table has. */
export interface Transactions<Tx> {
  /**
   * Runs `run` in a transaction of the default isolation or a stricter one, and commits it; if `run` rejects, rolls it
   * back and rejects with the same error.
   */
  transaction<Result>(run: (tx: Tx) => Promise<Result>): Promise<Result>
  /**
   * Whether the database rolled back because of another transaction, by a deadlock or a serialization failure, so another
   * attempt may succeed. Default: by the codes of PostgreSQL, MySQL, MariaDB, SQLite and Prisma, also of causes.
   */
  isRetryable?: ((error: unknown) => boolean) | undefined
}

/** Work within a transaction, which may run again. `undo` rolls back, and makes `result` the result. */
export type Change<Tx, Result> = (tx: Tx, undo: (result: Result) => never) => Promise<Result>

/** Makes a change in a transaction that is rolled back if the deadline of the call has passed by its end. */
export type Write<Tx> = <Result>(change: Change<Tx, Result>) => Promise<Result>

/**
 * Runs the work of a call, again if another transaction was in its way. Begin it before the first `await` of a method.
 * @param work gets the deadline of the call, in milliseconds of `performance.now()`
 * @throws ContendedError if others were in the way until the deadline; UnavailableError for anything else that isn't one of
 * the seam's errors
 */
export type Run<Tx> = <Result>(
  work: (write: Write<Tx>, deadline: number) => Promise<Result>,
) => Promise<Result>

/** Another change came between reading a row and changing it: the next attempt reads it again. */
export class LostRace extends Error {}

/** A unique index refused a key that nobody has: whoever had it has left, or the index is the app's own. */
export class UnknownHolder extends Error {}

/** Milliseconds to keep trying if the caller has set no deadline. */
const patience = 2500

/** How often a key is tried that nobody has. */
const maxUnknown = 5

export function createRun<Tx>(table: Transactions<Tx>): Run<Tx> {
  function writeBefore(inTime: () => void): Write<Tx> {
    return async <Result>(change: Change<Tx, Result>) => {
      let undone: { result: Result }[] = []
      try {
        return await table.transaction(async (tx) => {
          undone = []
          // Waiting for a connection may have taken a while, and so may each lock.
          inTime()
          const result = await change(tx, (instead) => {
            undone = [{ result: instead }]
            throw new Error('rolled back')
          })
          inTime()
          return result
        })
      } catch (error) {
        const [instead] = undone
        if (instead === undefined) throw error
        return instead.result
      }
    }
  }

  return async (work) => {
    const deadline = callDeadline()
    const inTime = (): void => {
      if (performance.now() >= deadline) throw new UnavailableError('the database did not respond in time')
    }
    const end = Number.isFinite(deadline) ? deadline : performance.now() + patience
    inTime()
    let collision: ContendedError | undefined
    let unknown = 0
    for (let n = 1; ; n++) {
      try {
        return await work(writeBefore(inTime), deadline)
      } catch (error) {
        const isLate = error instanceof UnavailableError && performance.now() >= deadline
        if (isTold(error)) throw collision !== undefined && isLate ? collision : error
        const isUnknown = error instanceof UnknownHolder
        if (isUnknown && ++unknown >= maxUnknown)
          throw new RefusedError('a unique index of the app refuses the change', { cause: error.cause })
        const wait = pause(n)
        // Drivers' texts may hold SQL, values and host names: they stay in the cause.
        if (isUnknown || error instanceof LostRace || isMomentary(table, error))
          collision = new ContendedError('the database was busy with other changes', { cause: error })
        else throw new UnavailableError('the database failed', { cause: error })
        if (performance.now() + wait >= end) throw collision
        await sleep(wait)
      }
    }
  }
}

/** Milliseconds before attempt `n` + 1, with jitter so two that collided don't again. */
function pause(n: number): number {
  return 2 ** Math.min(n, 6) * (0.5 + Math.random())
}

/** Whether the error already says what the caller has to know. */
function isTold(error: unknown): boolean {
  return (
    error instanceof AlongsideError ||
    error instanceof DuplicateError ||
    error instanceof InvalidArgumentError ||
    error instanceof RefusedError ||
    error instanceof UnavailableError
  )
}
