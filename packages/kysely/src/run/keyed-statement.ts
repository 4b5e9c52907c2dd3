import { type Compilable, type Kysely, type RawBuilder, sql } from 'kysely'
import { engineOf } from '../base/engine.js'
import type { Tables } from '../base/schema.js'
import { ownPools } from '../open/postgres-pool.js'
import { jsonRows, rowStatement } from './json-rows.js'
import { compiled } from './statement.js'
import { inTurnBatches } from './turn-batches.js'

/** Finds a row by its key. The row must not be changed: other callers may have it as well. */
export type FindRow<Row> = (key: string) => Promise<Row | undefined>

/** Whether lookups of one turn of the event loop may share a query. */
export function sharesQueries(db: Kysely<Tables>): boolean {
  return engineOf(db) === 'postgres' && ownPools.of(db) !== undefined
}

/**
 * Finds a row by a unique key. On PostgreSQL, lookups in one turn of the event loop share a query, if this package made
 * the dialect: a pool of the app's own may depend on the async context of each call, such as its tenant.
 * @param columns the ones that the query selects, in its order
 * @param key the column of the key
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
  const ask = rowStatement<Values & { key: string }, Row>(db, columns, (at) => build(sql`${at.key}`, at))
  const one = (key: string) => ask({ ...values(), key })
  if (!sharesQueries(db)) return one

  // A query of its own: PostgreSQL keeps the plan of a comparison with one key, but plans each one with an array anew.
  const query = compiled((at: Values & { keys: readonly string[] }) => build(sql`any(${at.keys})`, at))
  const askMany = jsonRows<Values & { keys: readonly string[] }, Row>(db, columns, query)
  const many = async (keys: readonly string[]) => {
    const rows = await askMany({ ...values(), keys })
    return new Map(rows.map((row) => [String(row[key]), row]))
  }
  return inTurnBatches({ one, many })
}
