import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Engine } from '../base/engine.js'
import { failureOf } from '../base/errors.js'
import type { Tables } from '../base/schema.js'
import { fromText } from '../base/values.js'
import { affected } from '../run/statement.js'

/** Rows that one statement changes: few enough that nobody notices their locks. */
const batchSize = 100

/** Milliseconds that locks are waited for: those of rows in all, that of a whole table or file since a row last changed. */
const patience = 10_000

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

/** What became of changes. */
export interface Applied {
  done: number
  /** The ids of rows that somebody else has changed, or whose keys somebody else has by now. */
  refused: string[]
  /** Those of rows that somebody else has locked. */
  locked: Change[]
}

/**
 * Applies changes in batches. On a server, rows that somebody else has locked are left out, so none of the others waits for
 * them; `finish` tries those again until they are free or its time is up.
 */
export function applying(
  db: Kysely<Tables>,
  changing: Changing,
): { apply(changes: readonly Change[]): Promise<void>; finish(): Promise<Applied> } {
  const result: Applied = { done: 0, refused: [], locked: [] }
  /** Milliseconds since a row has changed, without the time in which nothing had to. */
  let waited = 0

  async function tryBatch(batch: Change[], end?: number): Promise<Applied> {
    const start = performance.now()
    const applied = await attempt(db, changing, batch, end)
    if (applied.locked.length === batch.length) await sleep(20 * Math.random())
    waited = applied.done > 0 ? 0 : waited + performance.now() - start
    return applied
  }

  function note({ done, refused, locked }: Applied): void {
    result.done += done
    result.refused.push(...refused)
    result.locked.push(...locked)
  }

  async function apply(changes: readonly Change[]): Promise<void> {
    for (const batch of batchesOf(changes)) {
      let applied = lockedOnly(batch)
      // The lock of a SQLite file is everybody's; rows that are locked come last.
      do {
        if (waited > patience) break
        applied = await tryBatch(batch)
      } while (changing.engine === 'sqlite' && applied.locked.length > 0)
      note(applied)
    }
  }

  async function finish(): Promise<Applied> {
    for (const end = performance.now() + patience; result.locked.length > 0; await sleep(50)) {
      for (const batch of batchesOf(result.locked.splice(0))) note(await tryBatch(batch, end))
      if (performance.now() > end) break
    }
    return result
  }

  return { apply, finish }
}

function batchesOf(changes: readonly Change[]): Change[][] {
  const count = Math.ceil(changes.length / batchSize)
  return Array.from({ length: count }, (_, at) => changes.slice(at * batchSize, (at + 1) * batchSize))
}

const lockedOnly = (locked: Change[]): Applied => ({ done: 0, refused: [], locked })

/**
 * @param end when nothing more is begun. Until then those of a batch that can't be changed are told apart by their locks, such as
 * that of a new row with the same key, for which a server waits
 */
async function attempt(
  db: Kysely<Tables>,
  changing: Changing,
  batch: Change[],
  end?: number,
): Promise<Applied> {
  if (end !== undefined && performance.now() > end) return lockedOnly(batch)
  try {
    return await applyBatch(db, changing, batch)
  } catch (error) {
    const failure = failureOf(error)
    const isLocked = failure === 'locked' || failure === 'contended'
    if (!isLocked && failure !== 'duplicate') throw error
    if (batch.length > 1 && (failure === 'duplicate' || (failure === 'contended' && end !== undefined))) {
      const half = Math.ceil(batch.length / 2)
      const first = await attempt(db, changing, batch.slice(0, half), end)
      const second = await attempt(db, changing, batch.slice(half), end)
      return {
        done: first.done + second.done,
        refused: [...first.refused, ...second.refused],
        locked: [...first.locked, ...second.locked],
      }
    }
    return isLocked ? lockedOnly(batch) : { done: 0, refused: batch.map(({ id }) => id), locked: [] }
  }
}

async function applyBatch(db: Kysely<Tables>, changing: Changing, batch: Change[]): Promise<Applied> {
  if (changing.engine === 'sqlite') return applyTo(db, changing, batch)
  return db.transaction().execute(async (transaction) => {
    const { id, table, idOf } = changing
    const ids = sql.join(batch.map((change) => idOf(change.id)))
    const free = await idsOf(
      transaction,
      sql`select ${id} as id from ${sql.table(table)} where ${id} in (${ids}) for update skip locked`,
    )
    const possible = batch.filter((change) => free.has(change.id))
    const locked = batch.filter((change) => !free.has(change.id))
    return { ...(await applyTo(transaction, changing, possible)), locked }
  })
}

async function applyTo(db: Kysely<Tables>, changing: Changing, batch: Change[]): Promise<Applied> {
  const changes = async (some: readonly Change[]) => (await update(db, changing, some)) === some.length
  const refused: string[] = []
  if (changing.engine === 'mysql') {
    // An update of several ids may read the whole table, and then waits for every locked row of it.
    for (const change of batch) if (!(await changes([change]))) refused.push(change.id)
  } else if (batch.length > 0 && !(await changes(batch))) {
    const done = await doneOf(db, changing, batch)
    refused.push(...batch.filter(({ id }) => !done.has(id)).map(({ id }) => id))
  }
  return { done: batch.length - refused.length, refused, locked: [] }
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

function doneOf(
  db: Kysely<Tables>,
  { table, id, idOf }: Changing,
  batch: readonly Change[],
): Promise<ReadonlySet<string>> {
  const conditions = batch.map((change) => sql`(${id} = ${idOf(change.id)} and ${change.isDone})`)
  return idsOf(db, sql`select ${id} as id from ${sql.table(table)} where ${sql.join(conditions, sql` or `)}`)
}

async function idsOf(db: Kysely<Tables>, query: RawBuilder<unknown>): Promise<ReadonlySet<string>> {
  const { rows } = await (query as RawBuilder<{ id: string | Uint8Array }>).execute(db)
  return new Set(rows.map(({ id }) => fromText(id)))
}
