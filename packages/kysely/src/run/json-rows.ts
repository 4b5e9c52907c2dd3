import type { Compilable, CompiledQuery, Kysely } from 'kysely'
import { engineOf } from '../base/engine.js'
import type { Tables } from '../base/schema.js'
import { compiled, filledIn, type On } from './statement.js'

/** The only column of what `jsonRows` asks for. No column of a table has this name. */
const jsonColumn = 'row:json'

type JsonRow = { [jsonColumn]: string }

/** A statement that returns at most one row. */
export function rowStatement<Values extends object, Row extends object>(
  db: Kysely<Tables>,
  columns: readonly (keyof Row & string)[],
  build: (values: Values) => Compilable<Row>,
): (values: Values, on?: On) => Promise<Row | undefined> {
  const query = compiled(build)
  if (engineOf(db) === 'postgres') {
    const ask = jsonRows<Values, Row>(db, columns, query)
    return async (values, on) => (await ask(values, on))[0]
  }
  const ask = filledIn<Values, Row>(db, query)
  return async (values, on) => (await ask(values, on)).rows[0]
}

/**
 * The rows of a query on PostgreSQL, each as one JSON column: pg reads the column names and types with every response, and
 * for twenty columns that takes half as long as everything else.
 * @param columns the ones that the query selects or returns, in its order
 */
export function jsonRows<Values extends object, Row extends object>(
  db: Kysely<Tables>,
  columns: readonly (keyof Row & string)[],
  query: () => CompiledQuery,
): (values: Values, on?: On) => Promise<Row[]> {
  const places = columns.map((_, at) => `c${at}`).join(', ')
  const row = `json_build_array(${places})::text as "${jsonColumn}"`
  const ask = filledIn<Values, JsonRow>(db, () => {
    const found = query()
    return { ...found, sql: `with found(${places}) as (${found.sql}) select ${row} from found` }
  })
  return async (values, on) => {
    const { rows } = await ask(values, on)
    return rows.map((found) => rowOf<Row>(columns, JSON.parse(found[jsonColumn])))
  }
}

/** The values by their column names. */
function rowOf<Row extends object>(
  columns: readonly (keyof Row & string)[],
  values: readonly unknown[],
): Row {
  const row: Partial<Record<keyof Row & string, unknown>> = {}
  columns.forEach((name, at) => {
    row[name] = values[at]
  })
  return row as Row
}
