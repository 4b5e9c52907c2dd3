import { sql } from 'kysely'
import type { Engine } from '../base/engine.js'
import type { UsersTable } from '../base/schema.js'
import { fromText } from '../base/values.js'
import { formOf } from '../columns/column-forms.js'
import type { LiveColumn } from '../inspect/live-tables.js'
import { fits } from '../inspect/live-types.js'
import type { DatedFlag } from './adopted-columns.js'
import { differsFrom } from './dated-flags.js'
import { isKnownHash } from './hash-formats.js'
import { countOf, type Rows, rowsOf } from './table-rows.js'

/** A column of times. */
export type TimeColumn = Pick<LiveColumn, 'name' | 'type' | 'isNullable' | 'isOptional'>

/** How often NULL is in a column of ours, by its name. */
export interface NullColumn {
  column: keyof UsersTable
  name: string
  as: string | undefined
  count: number
}

/** Columns of times with another precision; on SQLite, whose columns have no precision, those with a row in another form. */
export async function timesOf({ db, table, adopted }: Rows, engine: Engine): Promise<TimeColumn[]> {
  const times: TimeColumn[] = []
  for (const { as, live } of Object.values(adopted)) {
    if (as !== 'timestamptz') continue
    const column = sql.id(live.name)
    const isRight =
      engine === 'sqlite'
        ? (await countOf(db, table, sql`${column} <> strftime('%Y-%m-%dT%H:%M:%fZ', ${column})`)) === 0
        : fits[engine].timestamp(live.type)
    const { name, type, isNullable, isOptional } = live
    if (!isRight) times.push({ name, type, isNullable, isOptional })
  }
  return times
}

const notNull = ['is_verified', 'is_staff', 'is_active', 'created_at', 'password_hash'] as const

export async function nullsOf({ db, table, adopted }: Rows): Promise<NullColumn[]> {
  const nulls: NullColumn[] = []
  for (const column of notNull) {
    const there = adopted[column]
    if (!there?.live.isNullable) continue
    const { name } = there.live
    const count = await countOf(db, table, sql`${sql.id(name)} is null`)
    if (count > 0) nulls.push({ column, name, as: there.as, count })
  }
  return nulls
}

/** How many users there are; how many are not active, which all are if nothing says so; how many not verified, as nobody is. */
export async function countsIn(
  { db, table, adopted }: Rows,
  dates: readonly DatedFlag[],
  engine: Engine,
): Promise<{ users: number; inactive: number; unverified: number }> {
  const isOff = (column: 'is_active' | 'is_verified') => {
    const { live, as } = adopted[column] ?? {}
    if (live === undefined) return []
    const value = sql.id(live.name)
    return [sql`coalesce(${as === undefined ? value : formOf(engine, as).read(value)}, 0) = 0`]
  }
  const differing = (column: 'is_active' | 'is_verified') =>
    dates.filter((date) => date.column === column).map((date) => differsFrom(date, engine))
  const inactive = [...isOff('is_active'), ...differing('is_active')]
  const unverified = [...isOff('is_verified'), ...differing('is_verified').map((isSo) => sql`not (${isSo})`)]
  return {
    inactive: inactive.length === 0 ? 0 : await countOf(db, table, sql.join(inactive, sql` or `)),
    unverified: await countOf(
      db,
      table,
      unverified.length === 0 ? sql`1 = 1` : sql.join(unverified, sql` and `),
    ),
    users: await countOf(db, table, sql`1 = 1`),
  }
}

/** How many users lack a key that they are found by. */
export async function unfilledIn({ db, table, adopted }: Rows): Promise<number> {
  const { username_key: name, email, email_key: key } = adopted
  const noName = name === undefined ? sql`1 = 1` : sql`${sql.id(name.live.name)} is null`
  const noAddress =
    email === undefined
      ? sql`1 = 0`
      : sql`${sql.id(email.live.name)} <> '' and ${key ? sql`${sql.id(key.live.name)} is null` : sql`1 = 1`}`
  return countOf(db, table, sql`${noName} or ${noAddress}`)
}

/** Ids of MySQL in a text, which only look like UUIDs. */
export async function uuidObstacles({ db, table, adopted }: Rows, engine: Engine): Promise<string[]> {
  const id = adopted.id?.live
  if (engine !== 'mysql' || id === undefined || adopted.id?.as !== 'uuid' || id.type === 'uuid') return []
  const { rows } = await sql<{ id: string }>`select ${sql.id(id.name)} as id from ${sql.table(table)}
    where cast(${sql.id(id.name)} as binary) not regexp '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$' limit 5`.execute(
    db,
  )
  if (rows.length === 0) return []
  const ids = rows.map((row) => fromText(row.id)).join(', ')
  return [
    `${id.name} is a text, and some ids are no UUIDs in lower case (${ids}): make it varbinary(255), with all that refers to it`,
  ]
}

/** Users who can't log in with their password, by id. */
export async function hashObstacles({ db, table, adopted }: Rows): Promise<string[]> {
  const hash = adopted.password_hash?.live
  const id = adopted.id?.live
  if (hash === undefined || id === undefined) return []
  const unknown: string[] = []
  let count = 0
  const columns = sql`${sql.id(hash.name)} as hash`
  for await (const rows of rowsOf<{ hash: string | null }>(db, { table, id: id.name, columns })) {
    for (const row of rows) {
      if (row.hash === null || row.hash === '!' || isKnownHash(String(row.hash))) continue
      count += 1
      if (unknown.length < 5) unknown.push(row.id)
    }
  }
  return count === 0
    ? []
    : [
        `${count} password ${count === 1 ? 'hash has' : 'hashes have'} a format that @fastify-accounts/hashes doesn't know: ids ${unknown.join(', ')}; these users reset their password, or write a hasher`,
      ]
}
