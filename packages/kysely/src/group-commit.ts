import { setImmediate as nextTurn } from 'node:timers/promises'
import { UnavailableError } from 'fastify-accounts'
import { CompiledQuery, type Kysely } from 'kysely'
import type { Tables } from './schema.js'
import { changeNotes, type SqliteChanges } from './sqlite-changes.js'

/**
 * Writes that come in the same turn of the event loop, or in turns that follow each other, are one transaction: a commit
 * flushes the disk, and this thread stands still meanwhile, so one flush serves them all. Each has a savepoint of its own,
 * and is answered after the commit.
 */
export interface GroupCommit {
  /**
   * @param change handed what it runs on; may be called again after all it did was rolled back
   * @param deadline after which it must have no effect, in milliseconds of `performance.now()`
   * @throws UnavailableError after the deadline; what `change` throws; what begins or commits the transaction throws
   */
  write<T>(db: Kysely<Tables>, change: Change<T>, deadline: number): Promise<T>
}

type Change<T> = (on: Kysely<Tables>) => Promise<T>

interface Job {
  change: Change<unknown>
  deadline: number
  resolve(value: unknown): void
  reject(error: unknown): void
}

/** Writes a transaction has at most: a few milliseconds, in which nothing else happens. */
const most = 64

/** Milliseconds for which writes are gathered, while each turn brings more: a flush of most disks takes longer. */
const longest = 2

const begin = CompiledQuery.raw('begin')
const commit = CompiledQuery.raw('commit')
const rollback = CompiledQuery.raw('rollback')
const save = CompiledQuery.raw('savepoint one')
const release = CompiledQuery.raw('release one')
const undo = CompiledQuery.raw('rollback to one')

/** One for each connection, whose files we prepared. */
const groups = new WeakMap<SqliteChanges, GroupCommit>()

/** What the writes of this database go through; `undefined` where they have a connection each. */
export function groupCommitOf(db: Kysely<Tables>): GroupCommit | undefined {
  const connection = changeNotes.of(db)
  if (connection === undefined) return undefined
  const known = groups.get(connection) ?? createGroupCommit()
  groups.set(connection, known)
  return known
}

function createGroupCommit(): GroupCommit {
  let waiting: Job[] = []
  let isAtWork = false

  /** Waits until a turn has brought no more. */
  async function gather(): Promise<void> {
    const end = performance.now() + longest
    for (let had = 0; had < waiting.length && waiting.length < most && performance.now() < end; ) {
      had = waiting.length
      await nextTurn()
    }
  }

  async function work(db: Kysely<Tables>): Promise<void> {
    while (waiting.length > 0) {
      await gather()
      const jobs = waiting.splice(0, most)
      const again = await db
        .connection()
        .execute((on) => commitTogether(jobs, on))
        .catch((error: unknown) => {
          for (const { reject } of jobs) reject(error)
          return []
        })
      waiting = [...again, ...waiting]
    }
    isAtWork = false
  }

  return {
    write<T>(db: Kysely<Tables>, change: Change<T>, deadline: number) {
      return new Promise<T>((resolve, reject) => {
        waiting.push({ change, deadline, resolve: resolve as Job['resolve'], reject })
        if (isAtWork) return
        isAtWork = true
        void work(db)
      })
    },
  }
}

/**
 * @returns those that are to be done again, since others in their transaction were late
 * @throws what ended the whole transaction: nothing of any job is left then
 */
async function commitTogether(jobs: readonly Job[], on: Kysely<Tables>): Promise<Job[]> {
  const done: { job: Job; value: unknown }[] = []
  await on.executeQuery(begin)
  try {
    for (const job of jobs) {
      if (isLate(job)) {
        job.reject(late())
        continue
      }
      const outcome = await attempt(job, on, jobs.length > 1)
      if (outcome !== undefined) done.push({ job, ...outcome })
    }
    if (!done.some(({ job }) => isLate(job))) {
      await on.executeQuery(commit)
      for (const { job, value } of done) job.resolve(value)
      return []
    }
  } catch (error) {
    // Ended by the error already, or not.
    await on.executeQuery(rollback).catch(() => undefined)
    throw error
  }
  await on.executeQuery(rollback)
  for (const { job } of done) if (isLate(job)) job.reject(late())
  return done.map(({ job }) => job).filter((job) => !isLate(job))
}

/**
 * @param isOneOfMany whether others are in the transaction, and stay
 * @returns `undefined` where the job failed, and nothing of it is left
 */
async function attempt(
  job: Job,
  on: Kysely<Tables>,
  isOneOfMany: boolean,
): Promise<{ value: unknown } | undefined> {
  if (!isOneOfMany) return { value: await job.change(on) }
  await on.executeQuery(save)
  try {
    const value = await job.change(on)
    await on.executeQuery(release)
    return { value }
  } catch (error) {
    await on.executeQuery(undo).catch(() => {
      throw error // it has ended the transaction
    })
    await on.executeQuery(release)
    job.reject(error)
    return undefined
  }
}

function isLate({ deadline }: Job): boolean {
  return performance.now() >= deadline
}

function late(): UnavailableError {
  return new UnavailableError('the database did not answer in time')
}
