import { parseEmail } from 'fastify-accounts'
import { type Kysely, sql } from 'kysely'
import type { Engine } from '../base/engine.js'
import type { Tables } from '../base/schema.js'
import { fromText } from '../base/values.js'
import type { LiveColumn } from '../inspect/live-tables.js'
import { isKnownHash } from './hash-formats.js'

/** What the values of a column of texts are, by a sample; `marks`: only those of no password; `nothing`: there are none. */
export type Held = 'addresses' | 'hashes' | 'marks' | 'nothing' | 'others'

/** Values that are read of a column. */
const sampleSize = 500

/** More characters than an address or a hash has. */
const longest = 1100

/** What each column of texts holds; `null` if the table has no rows. */
export async function sampledColumns(
  db: Kysely<Tables>,
  { table, columns, engine }: { table: string; columns: readonly LiveColumn[]; engine: Engine },
): Promise<ReadonlyMap<string, Held> | null> {
  const { rows: some } = await sql`select 1 as one from ${sql.table(table)} limit 1`.execute(db)
  if (some.length === 0) return null
  const held = new Map<string, Held>()
  for (const { name, type } of columns) {
    if (!/char|text|clob|varbinary/.test(type)) continue
    const column = sql.id(name)
    // PostgreSQL compares neither enums nor arrays with any text.
    const value = engine === 'postgres' ? sql`${column}::text` : column
    const { rows } = await sql<{
      value: string | Uint8Array
    }>`select substr(${value}, 1, ${sql.lit(longest)}) as value
      from ${sql.table(table)} where ${value} <> '' limit ${sql.lit(sampleSize)}`.execute(db)
    held.set(name, kindOf(rows.map((row) => fromText(row.value))))
  }
  return held
}

function kindOf(all: readonly string[]): Held {
  if (all.length === 0) return 'nothing'
  const values = all.filter((value) => value !== '!')
  if (values.length === 0) return 'marks'
  const areMost = (test: (value: string) => boolean) => values.filter(test).length * 2 >= values.length
  if (areMost((value) => parseEmail(value) !== null)) return 'addresses'
  return areMost(isKnownHash) ? 'hashes' : 'others'
}
