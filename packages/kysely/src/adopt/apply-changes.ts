import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Engine } from '../base/engine.js'
import { failureOf } from '../base/errors.js'
import type { Tables } from '../base/schema.js'
import { fromText } from '../base/values.js'
import { affected } from '../run/statement.js'

/** Rows that one statement changes: few enough that nobody notices their locks. */
const batchSize = 100

/** Milliseconds for which a locked row, or on SQLite the file, is tried again. */
const patience = 5000

/** Changes that rows of a table get, each by its id, and the columns that it writes. */
export interface Changing {
  engine: Engine
  table: string
  /** The column of ids, and an id as it is compared with it. */
  id: RawBuilder<unknown>
  idOf(id: string): RawBuilder<unknown>
  /** Set for every row that is changed, by what it was: MySQL assigns from left to right. */
  always: RawBuilder<unknown>
}

/** A change of a row. */
export interface Change {
  id: string
  /** By column. */
  values: Readonly<Record<string, string | null>>
  /** Whether the row is as it was read. */
  isUnchanged: RawBuilder<unknown>
  /** Whether it has been changed so. */
  isDone: RawBuilder<unknown>
}

/**
 * Applies changes in batches. On a server, rows that somebody else has locked are left out of a batch, so none of the others
 * waits for them.
 * @returns the ids of rows that stay as they are, because somebody else was faster
 */
export async function applyChanges(
  db: Kysely<Tables>,
  changing: Changing,
  changes: readonly Change[],
): Promise<string[]> {
  const left: string[] = []
  for (let at = 0; at < changes.length; at += batchSize) {
    const batch = changes.slice(at, at + batchSize)
    const count = await inTime(() => applyBatch(db, changing, batch))
    if (count === batch.length) continue
    const done = count === 0 || count === null ? new Set() : await doneOf(db, changing, batch)
    // One of them fails, and only that one.
    for (const change of batch.filter(({ id }) => !done.has(id))) {
      if ((await inTime(() => update(db, changing, [change]))) !== 1) left.push(change.id)
    }
  }
  return left
}

async function applyBatch(db: Kysely<Tables>, changing: Changing, batch: readonly Change[]): Promise<number> {
  if (changing.engine === 'sqlite') return update(db, changing, batch)
  return db.transaction().execute(async (transaction) => {
    const { rows } = await sql<{
      id: string | Uint8Array
    }>`select ${changing.id} as id from ${sql.table(changing.table)}
      where ${changing.id} in (${idsOf(changing, batch)}) for update skip locked`.execute(transaction)
    const free = new Set(rows.map(({ id }) => fromText(id)))
    const possible = batch.filter(({ id }) => free.has(id))
    return possible.length === 0 ? 0 : update(transaction, changing, possible)
  })
}

/** How many rows have changed. */
async function update(
  db: Kysely<Tables>,
  { table, id, idOf, always }: Changing,
  batch: readonly Change[],
): Promise<number> {
  const newValue = (column: string) =>
    sql`case ${sql.join(
      batch.map((change) => sql`when ${id} = ${idOf(change.id)} then ${change.values[column] ?? null}`),
      sql` `,
    )} end`
  const assignments = Object.keys(batch[0]?.values ?? {}).map(
    (column) => sql`${sql.id(column)} = ${newValue(column)}`,
  )
  const conditions = batch.map((change) => sql`(${id} = ${idOf(change.id)} and ${change.isUnchanged})`)
  const result = await sql`update ${sql.table(table)} set ${sql.join([always, ...assignments])}
    where ${sql.join(conditions, sql` or `)}`.execute(db)
  return affected(result)
}

async function doneOf(
  db: Kysely<Tables>,
  { table, id, idOf }: Changing,
  batch: readonly Change[],
): Promise<ReadonlySet<string>> {
  const conditions = batch.map((change) => sql`(${id} = ${idOf(change.id)} and ${change.isDone})`)
  const { rows } = await sql<{ id: string | Uint8Array }>`select ${id} as id from ${sql.table(table)}
    where ${sql.join(conditions, sql` or `)}`.execute(db)
  return new Set(rows.map((row) => fromText(row.id)))
}

function idsOf({ idOf }: Changing, batch: readonly Change[]): RawBuilder<unknown> {
  return sql.join(batch.map((change) => idOf(change.id)))
}

/**
 * `null` if a row stays locked for long, or somebody has the key by now: a new user does, and one whose name or address has
 * changed without its key.
 */
async function inTime<T>(work: () => Promise<T>): Promise<T | null> {
  for (const end = performance.now() + patience; ; ) {
    try {
      return await work()
    } catch (error) {
      const failure = failureOf(error)
      if (failure === 'duplicate') return null
      if (failure !== 'locked' && failure !== 'contended') throw error
      if (performance.now() >= end) return null
      await sleep(20 * Math.random())
    }
  }
}
