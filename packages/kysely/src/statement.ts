import {
  type Compilable,
  type CompiledQuery,
  type Kysely,
  type QueryResult,
  type RawBuilder,
  sql,
} from 'kysely'
import { engineOf } from './engine.js'
import { addStatement } from './prepared-names.js'
import type { Tables } from './schema.js'
import { type FindRow, inTurnBatches } from './turn-batches.js'

/** A placeholder for the value of that name, which each call supplies. */
class Slot {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

/** What a statement runs on if it isn't the database itself: a transaction, or one connection. */
export type On = Pick<Kysely<Tables>, 'executeQuery'>

/**
 * A query that is built and compiled once; a call only fills in its values.
 * The call may pass a transaction to run in.
 * @param build receives an object in which each value is a placeholder: it may only be put into a query
 */
export function statement<Values extends object, Row>(
  db: Kysely<Tables>,
  build: (values: Values) => Compilable<Row>,
): (values: Values, on?: On) => Promise<QueryResult<Row>> {
  return filledIn(db, compiled(build))
}

/**
 * A statement that finds at most one row. On PostgreSQL the row arrives as one JSON column: pg reads the column names
 * and types with every answer, and for twenty columns that takes half as long as everything else.
 * @param columns the ones that the query selects or returns, in its order
 */
export function rowStatement<Values extends object, Row extends object>(
  db: Kysely<Tables>,
  columns: readonly (keyof Row & string)[],
  build: (values: Values) => Compilable<Row>,
): (values: Values, on?: On) => Promise<Row | undefined> {
  const query = compiled(build)
  if (engineOf(db) !== 'postgres') {
    const ask = filledIn<Values, Row>(db, query)
    return async (values, on) => (await ask(values, on)).rows[0]
  }
  const ask = jsonRows<Values, Row>(db, columns, query)
  return async (values, on) => (await ask(values, on))[0]
}

/**
 * A statement that finds a row by a unique key. On PostgreSQL, lookups of the same turn of the event loop are one round
 * trip.
 * @param values the other values, made when it runs
 * @param build receives what the key equals, and the placeholders of the other values
 */
export function keyedStatement<Row extends object, Values extends object>(
  db: Kysely<Tables>,
  {
    columns,
    key,
    values,
  }: { columns: readonly (keyof Row & string)[]; key: keyof Row & string; values(): Values },
  build: (equal: RawBuilder<string>, at: Values) => Compilable<Row>,
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

/** The rows of a query on PostgreSQL, each as JSON. */
function jsonRows<Values extends object, Row extends object>(
  db: Kysely<Tables>,
  columns: readonly (keyof Row & string)[],
  query: CompiledQuery,
): (values: Values, on?: On) => Promise<Row[]> {
  const places = columns.map((_, at) => `c${at}`).join(', ')
  const text = `with found(${places}) as (${query.sql}) select json_build_array(${places})::text as "${jsonColumn}" from found`
  const ask = filledIn<Values, { [jsonColumn]: string }>(db, { ...query, sql: text })
  return async (values, on) => {
    const { rows } = await ask(values, on)
    return rows.map((row) => rowOf<Row>(columns, JSON.parse(row[jsonColumn])))
  }
}

/** The only column of a `jsonStatement`. No column of a table has this name. */
export const jsonColumn = 'row:json'

/** A statement for PostgreSQL that returns JSON itself, as the text of `jsonColumn`. */
export function jsonStatement<Values extends object, Value>(
  db: Kysely<Tables>,
  build: (values: Values) => Compilable<unknown>,
): (values: Values, on?: On) => Promise<Value | undefined> {
  const ask = filledIn<Values, { [jsonColumn]: string }>(db, compiled(build))
  return async (values, on) => {
    const [found] = (await ask(values, on)).rows
    return found && JSON.parse(found[jsonColumn])
  }
}

/** The values by their column names. */
export function rowOf<Row extends object>(
  columns: readonly (keyof Row & string)[],
  values: readonly unknown[],
): Row {
  const row: Partial<Record<keyof Row & string, unknown>> = {}
  columns.forEach((name, at) => {
    row[name] = values[at]
  })
  return row as Row
}

function compiled<Values extends object, Row>(build: (values: Values) => Compilable<Row>): CompiledQuery {
  // Kysely keeps any value that is not an expression, so the placeholders end up among the parameters.
  const slots = new Proxy({} as Values, { get: (_, name) => new Slot(String(name)) })
  return build(slots).compile()
}

function filledIn<Values extends object, Row>(
  db: Kysely<Tables>,
  query: CompiledQuery,
): (values: Values, on?: On) => Promise<QueryResult<Row>> {
  addStatement(query.sql)
  return (values, on = db) => {
    const parameters = query.parameters.map((p) => (p instanceof Slot ? values[p.name as keyof Values] : p))
    return on.executeQuery<Row>({ ...query, parameters } as CompiledQuery<Row>)
  }
}

/** The values of these names, each under its name: what INSERT and SET take. */
export function pick<Values extends object, Name extends keyof Values>(
  values: Values,
  names: readonly Name[],
): Pick<Values, Name> {
  return Object.fromEntries(names.map((name) => [name, values[name]])) as Pick<Values, Name>
}

/** How many rows a statement changed. Some dialects omit the number if it is 0. */
export function affected({ numAffectedRows = 0n }: QueryResult<unknown>): number {
  return Number(numAffectedRows)
}

/** Whether a statement changed one row. */
export async function isOne(change: Promise<QueryResult<unknown>>): Promise<boolean> {
  return affected(await change) === 1
}

/** Builds once for each key: the code, not the client, decides which columns change together, so there are few. */
export function memo<Shape, T>(
  keyAndBuild: (shape: Shape) => readonly [key: string, build: () => T],
): (shape: Shape) => T {
  const built = new Map<string, T>()
  return (shape) => {
    const [key, build] = keyAndBuild(shape)
    const known = built.get(key)
    if (known) return known
    const made = build()
    built.set(key, made)
    return made
  }
}
