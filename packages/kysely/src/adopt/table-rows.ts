import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Tables } from '../base/schema.js'
import { fromText } from '../base/values.js'
import type { Adopted } from './adopted-columns.js'

/** The rows of a table, and which of its columns are ours. */
export interface Rows {
  db: Kysely<Tables>
  table: string
  adopted: Adopted
}

/** Rows that are read at a time. */
const portion = 1000

/** All rows of a table, in portions by id. @param id the name of its column */
export async function* rowsOf<Row extends object>(
  db: Kysely<Tables>,
  { table, id, columns }: { table: string; id: string; columns: RawBuilder<unknown> },
): AsyncGenerator<(Row & { id: string })[]> {
  for (let last: unknown; ; ) {
    const after = last === undefined ? sql`1 = 1` : sql`${sql.id(id)} > ${last}`
    const query = sql<Row & { id: unknown }>`select ${sql.id(id)} as id, ${columns} from ${sql.table(table)}
      where ${after} order by ${sql.id(id)} limit ${sql.lit(portion)}`
    const { rows } = await query.execute(db)
    if (rows.length > 0) yield rows.map((row) => ({ ...row, id: textOf(row.id) }))
    if (rows.length < portion) return
    last = rows.at(-1)?.id
  }
}

function textOf(id: unknown): string {
  return id instanceof Uint8Array ? fromText(id) : String(id)
}

/** How many rows of a table meet a condition. */
export async function countOf(
  db: Kysely<Tables>,
  table: string,
  where: ReturnType<typeof sql>,
): Promise<number> {
  const { rows } = await sql<{
    n: unknown
  }>`select count(*) as n from ${sql.table(table)} where ${where}`.execute(db)
  return Number(rows[0]?.n)
}
