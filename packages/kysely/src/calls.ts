import { setTimeout as sleep } from 'node:timers/promises'
import { callDeadline, DuplicateError, InvalidArgumentError, UnavailableError } from 'fastify-accounts'
import type { Kysely } from 'kysely'
import { accountsDb } from './accounts-db.js'
import type { Database } from './database.js'
import { failureOf, SchemaError } from './errors.js'
import { groupCommitOf } from './group-commit.js'
import type { Tables } from './schema.js'
import { serverLimits } from './server-limit.js'
import { changeNotes } from './sqlite-changes.js'

/** How often a statement is attempted that the engine undid because of another one at the same moment. */
export const tries = 5

/** Milliseconds for which a locked SQLite file is asked again and again, where no caller set a deadline. */
const patience = 2500

/** Milliseconds before attempt `n` + 1: 10, 20, 40, 80, 160, more or less, so that two that met do not meet again. */
function pause(n: number): number {
  return 5 * 2 ** Math.min(n, 5) * (0.5 + Math.random())
}

/**
 * Makes a change that takes effect in time or not at all. If the caller has a deadline, the change is a transaction that
 * is rolled back after it; otherwise the engine would go on waiting for a lock and apply the change later. A statement
 * that the server itself gives up before the deadline needs none.
 * @param change is passed what it runs on, or `undefined` if any connection will do; runs again after a rollback
 * @param together whether it is a transaction in any case, because it has several statements
 */
export type Write = <T>(
  change: (on: Kysely<Tables> | undefined) => Promise<T>,
  together?: boolean,
) => Promise<T>

/** What stands between a store's methods and the database: deadlines, retries, typed errors, and an orderly end. */
export interface Calls {
  /**
   * Runs `work`, and again while the engine undid it: at most `tries` times, and for as long as a SQLite file is
   * locked. No attempt begins after the deadline of the call.
   * @param work takes effect at most once: it reads, and calls `write` until one succeeds
   * @throws UnavailableError for whatever is not one of the seam's errors already; the driver's error is its cause
   */
  run<T>(work: (write: Write) => Promise<T>): Promise<T>

  /**
   * Reads memory, if the store is open.
   * @param read returns `undefined` if only the database knows; if it throws, `run` finds out why
   */
  peek<T>(read: () => T | undefined): T | undefined

  /**
   * Takes as long as a write that changes nothing, if writes wait for a turn of the event loop: an answer must not tell
   * by its time whether one write was made for it or two.
   */
  turn(): Promise<void>

  /** Refuses further calls, waits for those under way, then frees what was handed to `createCalls`. */
  close(): Promise<void>
}

/** @param free run once at the end, after the last call */
export function createCalls(host: Database, free: () => Promise<void>): Calls {
  const db = accountsDb(host)
  let underWay = 0
  let onIdle = (): void => {}
  let closing: Promise<void> | undefined

  const limit = serverLimits.of(host)
  const group = groupCommitOf(host)
  const connection = changeNotes.of(host)

  function writeBefore(deadline: number): Write {
    const inTime = (): void => {
      if (performance.now() >= deadline) throw new UnavailableError('the database did not answer in time')
    }
    return async (change, together = false) => {
      const isPatient = deadline === Number.POSITIVE_INFINITY && !together
      // A statement belongs to a transaction that the app has begun on the handle.
      if (group && !(isPatient && connection?.isInTransaction())) return group.write(change, deadline)
      if (isPatient) return change(undefined)
      const inTransaction = (on: Kysely<Tables>) =>
        on.transaction().execute(async (transaction) => {
          // The connection may have been waited for, and so may each lock.
          inTime()
          const result = await change(transaction)
          inTime()
          return result
        })
      if (limit === undefined || together) return inTransaction(db)
      return db.connection().execute((on) => (limit.endsBefore(deadline) ? change(on) : inTransaction(on)))
    }
  }

  return {
    async run(work) {
      if (closing) throw new UnavailableError('the store is closed')
      // Known only now, before the first await.
      const deadline = callDeadline()
      underWay += 1
      try {
        return await withRetries(() => work(writeBefore(deadline)), deadline)
      } finally {
        underWay -= 1
        if (underWay === 0) onIdle()
      }
    },

    peek(read) {
      if (closing) return undefined
      try {
        return read()
      } catch {
        return undefined
      }
    },

    async turn() {
      await group?.write(async () => {}, Number.POSITIVE_INFINITY)
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
 * The retries of `Calls.run`, for what is no store.
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
      // A duplicate that arrives here was one whose other half is gone by now.
      const again =
        failure === 'locked' ? next < unlockedBy : failure !== 'broken' && n < tries && next < deadline
      if (!again) {
        // Driver texts may hold SQL, values and host names: they stay in the cause.
        throw new UnavailableError('the database cannot answer', { cause: error })
      }
      await sleep(wait)
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
