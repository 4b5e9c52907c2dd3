import type { Kysely, RawBuilder } from 'kysely'
import { failureOf } from '../base/errors.js'
import type { Tables } from '../base/schema.js'
import { fromText } from '../base/values.js'
import { affected } from '../run/statement.js'

/** Rows that are changed in one transaction: few enough that nobody notices that they are locked. */
const batchSize = 100

/** A change of a row, which only takes effect if the row is as it was read. */
export interface Change {
  id: string
  update: RawBuilder<unknown>
}

/**
 * Applies changes in batches, each a transaction.
 * @param lock locks rows in a batch without waiting for those that somebody else has locked; `null` on SQLite, which locks the file
 * @returns the ids of rows that stay as they are, because somebody else was faster
 */
export async function applyChanges(
  db: Kysely<Tables>,
  changes: readonly Change[],
  lock: ((ids: readonly string[]) => RawBuilder<{ id: string | Uint8Array }>) | null,
): Promise<string[]> {
  const left: string[] = []
  for (let at = 0; at < changes.length; at += batchSize) {
    const batch = changes.slice(at, at + batchSize)
    const done = (await inTime(applyBatch(db, batch, lock))) ?? new Set()
    // A transaction would wait for a row with the locks of all others, and loses all changes by one that fails.
    for (const { id, update } of batch.filter((change) => !done.has(change.id))) {
      const result = await inTime(update.execute(db))
      if (result === null || affected(result) !== 1) left.push(id)
    }
  }
  return left
}

async function applyBatch(
  db: Kysely<Tables>,
  batch: readonly Change[],
  lock: Parameters<typeof applyChanges>[2],
): Promise<ReadonlySet<string>> {
  return db.transaction().execute(async (transaction) => {
    const ids = batch.map(({ id }) => id)
    const locked = lock && (await lock(ids).execute(transaction)).rows.map(({ id }) => fromText(id))
    const free = new Set(locked ?? ids)
    const done = new Set<string>()
    for (const { id, update } of batch) {
      if (free.has(id) && affected(await update.execute(transaction)) === 1) done.add(id)
    }
    return done
  })
}

/**
 * `null` if somebody has locked the row, or has the key by now: a new user does, and one whose name or address has changed
 * without its key.
 */
async function inTime<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work
  } catch (error) {
    if (['duplicate', 'locked', 'contended'].includes(failureOf(error))) return null
    throw error
  }
}
