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
import type { Kysely } from 'kysely'
import { accountsDb } from '../base/accounts-db.js'
import type { Database } from '../base/database.js'
import { failureOf, SchemaError } from '../base/errors.js'
import type { Tables } from '../base/schema.js'

/** How often a statement is attempted at least if the caller set no deadline, and at most if waiting doesn't help. */
const someAttempts = 5

/** Milliseconds to keep retrying if the caller set no deadline. */
const patience = 2500

/** Milliseconds that a commit may take which began before the deadline. */
const commitTime = 100

/** Milliseconds before attempt `n` + 1: up to 20, 40, 80, of which a random part, so two that collided don't again. */
function pause(n: number): number {
  return 10 * 2 ** Math.min(n, 3) * Math.random()
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
   * Runs `work`, and retries if the engine rolled it back because of others, or a SQLite file is locked, until the
   * deadline of the call.
   * @param work takes effect at most once: it reads, and calls `write` until one succeeds; one that reads again and again
   * calls `inTime`, which throws after the deadline
   * @throws RefusedError if the app's own rules refuse the change; ContendedError if others were in the way until the
   * deadline, and nothing was kept; UnavailableError for anything else that isn't one of the seam's errors; the driver's
   * error is the cause
   */
  run<T>(work: (write: Write, inTime: () => void) => Promise<T>): Promise<T>

  /** Refuses further calls, waits for those in progress, then frees what was passed to `createCalls`. */
  close(): Promise<void>
}

/** @param free run once at the end, after the last call */
export function createCalls(host: Database, free: () => Promise<void>): Calls {
  const db = accountsDb(host)
  let underWay = 0
  let onIdle = (): void => {}
  let closing: Promise<void> | undefined

  /** Each attempt as well, because its transaction may outlast the call. */
  async function counted<T>(work: () => Promise<T>): Promise<T> {
    underWay += 1
    try {
      return await work()
    } finally {
      underWay -= 1
      if (underWay === 0) onIdle()
    }
  }

  function writeBefore(deadline: number, inTime: () => void, onCommit: () => void): Write {
    return async (change, together = false) => {
      if (deadline === Number.POSITIVE_INFINITY && !together) return change(undefined)
      return db.transaction().execute(async (transaction) => {
        // Getting the connection may have taken a while, and so may each lock.
        inTime()
        const result = await change(transaction)
        inTime()
        onCommit()
        return result
      })
    }
  }

  return {
    async run(work) {
      if (closing) throw new UnavailableError('the store is closed')
      // Known only now, before the first await.
      const deadline = callDeadline()
      const inTime = (): void => {
        if (performance.now() >= deadline) throw late()
      }
      let isCommitting = false
      const write = writeBefore(deadline, inTime, () => {
        isCommitting = true
      })
      const attempt = () => {
        isCommitting = false
        return counted(() => work(write, inTime))
      }
      return counted(async () => {
        inTime()
        return withRetries(attempt, deadline, () => isCommitting)
      })
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
 * @param isCommitting whether the attempt may already have taken effect
 */
export async function withRetries<T>(
  work: () => Promise<T>,
  deadline: number = Number.POSITIVE_INFINITY,
  isCommitting: () => boolean = () => false,
): Promise<T> {
  const end = Number.isFinite(deadline) ? deadline : performance.now() + patience
  let collision: ContendedError | undefined
  // Collisions don't count: however many there were, what follows them may still pass.
  let others = 0
  for (let n = 1; ; n++) {
    try {
      return await (collision === undefined ? work() : endedBy(deadline + commitTime, work()))
    } catch (error) {
      const isLate = error instanceof UnavailableError && performance.now() >= deadline
      if (isTold(error)) throw collision !== undefined && isLate && !isCommitting() ? collision : error
      const failure = failureOf(error)
      const wait = pause(n)
      const next = performance.now() + wait
      const isCollision = failure === 'contended' || failure === 'locked'
      if (!isCollision) others += 1
      const mayAgain = (isCollision ? n : others) < someAttempts && next < deadline
      // Driver texts may hold SQL, values and host names: they stay in the cause.
      if (isCollision) {
        collision = new ContendedError('the database was busy with other changes', { cause: error })
        if (next >= end && !(failure === 'contended' && mayAgain)) throw collision
        // If a duplicate arrives here, the row it conflicted with is gone by now.
      } else if (!(mayAgain && (failure === 'duplicate' || failure === 'unprepared'))) {
        // A duplicate that no user has is one of the app's own unique indexes.
        const isRefused = failure === 'refused' || (failure === 'duplicate' && others === someAttempts)
        throw isRefused
          ? new RefusedError('a rule of the database refuses the change', { cause: error })
          : new UnavailableError('the database failed', { cause: error })
      }
      await sleep(wait)
    }
  }
}

/** Rejects at the end: the attempt, which may wait for a lock until then and longer, is rolled back unless it commits. */
async function endedBy<T>(end: number, attempt: Promise<T>): Promise<T> {
  if (end === Number.POSITIVE_INFINITY) return attempt
  const timer = new AbortController()
  const rest = sleep(end - performance.now(), undefined, { ref: false, signal: timer.signal })
  try {
    return await Promise.race([attempt, rest.then(() => Promise.reject(late()))])
  } finally {
    timer.abort()
  }
}

function late(): UnavailableError {
  return new UnavailableError('the database did not respond in time')
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
