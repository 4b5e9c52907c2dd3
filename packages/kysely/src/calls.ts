import { setTimeout as sleep } from 'node:timers/promises'
import {
  AlongsideError,
  callDeadline,
  DuplicateError,
  InvalidArgumentError,
  RefusedError,
  UnavailableError,
} from 'fastify-accounts'
import type { Kysely } from 'kysely'
import { accountsDb } from './accounts-db.js'
import type { Database } from './database.js'
import { failureOf, SchemaError } from './errors.js'
import { groupCommitOf } from './group-commit.js'
import type { Tables } from './schema.js'
import { changeNotes } from './sqlite-changes.js'

/** How often a statement is attempted if the engine rolls it back because of a concurrent one. */
const maxAttempts = 5

/** Milliseconds to keep retrying on a locked SQLite file if the caller set no deadline. */
const patience = 2500

/** Milliseconds before attempt `n` + 1: about 10, 20, 40, 80, 160, with jitter so two that collided don't again. */
function pause(n: number): number {
  return 5 * 2 ** Math.min(n, 5) * (0.5 + Math.random())
}

/**
 * Makes a change that takes effect in time or not at all. If the caller has a deadline, the change is a transaction
 * that is rolled back after it. A single statement would not do: the server's own limit only begins when it reads the
 * statement, so one that had stalled, or waited for a lock, would apply it later.
 * @param change receives what it runs on, or `undefined` if any connection will do; runs again after a rollback
 * @param together whether it is always a transaction, because it has several statements
 */
export type Write = <T>(
  change: (on: Kysely<Tables> | undefined) => Promise<T>,
  together?: boolean,
) => Promise<T>

/** The layer between a store's methods and the database: deadlines, retries, typed errors, and an orderly shutdown. */
export interface Calls {
  /**
   * Runs `work`, and retries if the engine rolled it back: at most `maxAttempts` times, and for as long as a SQLite
   * file is locked. No attempt begins after the deadline of the call.
   * @param work takes effect at most once: it reads, and calls `write` until one succeeds; one that reads again and again
   * calls `inTime`, which throws after the deadline. `alone` writes in a transaction that no other write shares: it runs
   * code of the app
   * @throws RefusedError if the app's own rules refuse the change; UnavailableError for anything else that isn't one of
   * the seam's errors; the driver's error is the cause
   */
  run<T>(work: (write: Write, inTime: () => void, alone: Write) => Promise<T>): Promise<T>

  /** Refuses further calls, waits for those in progress, then frees what was passed to `createCalls`. */
  close(): Promise<void>
}

/** @param free run once at the end, after the last call */
export function createCalls(host: Database, free: () => Promise<void>): Calls {
  const db = accountsDb(host)
  let underWay = 0
  let onIdle = (): void => {}
  let closing: Promise<void> | undefined

  const group = groupCommitOf(host)
  const connection = changeNotes.of(host)

  function aloneBefore(inTime: () => void): Write {
    return (change) =>
      db.transaction().execute(async (transaction) => {
        // Getting the connection may have taken a while, and so may each lock.
        inTime()
        const result = await change(transaction)
        inTime()
        return result
      })
  }

  function writeBefore(deadline: number, alone: Write): Write {
    return async (change, together = false) => {
      const isPatient = deadline === Number.POSITIVE_INFINITY && !together
      // A statement belongs to the transaction that the app has begun on the handle.
      if (group && !(isPatient && connection?.isInTransaction())) return group.write(change, deadline)
      return isPatient ? change(undefined) : alone(change)
    }
  }

  return {
    async run(work) {
      if (closing) throw new UnavailableError('the store is closed')
      // Known only now, before the first await.
      const deadline = callDeadline()
      const inTime = (): void => {
        if (performance.now() >= deadline) throw new UnavailableError('the database did not respond in time')
      }
      const alone = aloneBefore(inTime)
      underWay += 1
      try {
        inTime()
        return await withRetries(() => work(writeBefore(deadline, alone), inTime, alone), deadline)
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

/**
 * The retries of `Calls.run`, for code that is not a store.
 * @param deadline after which no attempt begins, in milliseconds of `performance.now()`
 */
export async function withRetries<T>(
  work: () => Promise<T>,
  deadline: number = Number.POSITIVE_INFINITY,
): Promise<T> {
  const unlockedBy = Number.isFinite(deadline) ? deadline : performance.now() + patience
  for (let n = 1; ; n++) {
    try {
      return await work()
    } catch (error) {
      if (isTold(error)) throw error
      const failure = failureOf(error)
      const wait = pause(n)
      const next = performance.now() + wait
      // If a duplicate arrives here, the row it conflicted with is gone by now.
      const isMomentary = failure === 'duplicate' || failure === 'contended'
      const again =
        failure === 'locked' ? next < unlockedBy : isMomentary && n < maxAttempts && next < deadline
      if (!again) {
        // A duplicate that no user has is one of the app's own unique indexes.
        const isRefused = failure === 'refused' || (failure === 'duplicate' && n === maxAttempts)
        // Driver texts may hold SQL, values and host names: they stay in the cause.
        throw isRefused
          ? new RefusedError('a rule of the database refuses the change', { cause: error })
          : new UnavailableError('the database failed', { cause: error })
      }
      await sleep(wait)
    }
  }
}

/** Whether the error already says what the caller has to know. */
function isTold(error: unknown): boolean {
  return (
    error instanceof AlongsideError ||
    error instanceof DuplicateError ||
    error instanceof InvalidArgumentError ||
    error instanceof RefusedError ||
    error instanceof UnavailableError ||
    error instanceof SchemaError
  )
}
