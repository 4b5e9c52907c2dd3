import { type Compilable, type Kysely, type RawBuilder, sql } from 'kysely'
import { engineOf } from './engine.js'
import { jsonRows } from './json-rows.js'
import type { Tables } from './schema.js'
import { compiled, filledIn } from './statement.js'
import { inTurnBatches } from './turn-batches.js'

/** Finds a row by its key. The row must not be changed: other callers may have it too. */
export type FindRow<Row> = (key: string) => Promise<Row | undefined>

/**
 * Finds a row by a unique key. On PostgreSQL, lookups in one turn of the event loop share a query.
 * @param columns the ones that the query selects, in its order
 * @param key the column of the key; it must hold the key exactly as it is looked up
 * @param values the query's other values, read when it runs
 * @param build receives what the key is compared with, and the placeholders of the other values
 */
export function keyedStatement<Row extends object, Values extends object>(
  db: Kysely<Tables>,
  {
    columns,
    key,
    values = () => ({}) as Values,
  }: { columns: readonly (keyof Row & string)[]; key: keyof Row & string; values?: () => Values },
  build: (value: RawBuilder<string>, at: Values) => Compilable<Row>,
): FindRow<Row> {
  if (engineOf(db) !== 'postgres') {
    const query = compiled((at: Values & { key: string }) => build(sql`${at.key}`, at))
    // Part of the text, so a driver that reads it looks for no second row.
    const ask = filledIn<Values & { key: string }, Row>(db, { ...query, sql: `${query.sql} limit 1` })
    return async (value) => (await ask({ ...values(), key: value })).rows[0]
  }
  const query = compiled((at: Values & { keys: readonly string[] }) => build(sql`any(${at.keys})`, at))
  const ask = jsonRows<Values & { keys: readonly string[] }, Row>(db, columns, query)
  return inTurnBatches(async (keys) => {
    const rows = await ask({ ...values(), keys })
    return new Map(rows.map((row) => [String(row[key]), row]))
  })
}
