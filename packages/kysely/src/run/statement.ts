import type { Compilable, CompiledQuery, Kysely, QueryResult } from 'kysely'
import type { Tables } from '../base/schema.js'
import { addStatement } from '../open/prepared-names.js'

/** A placeholder for the value of that name, which each call supplies. */
class Slot {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

/**
 * What a subquery begins from: the builder that the outer query's callback receives. If it began from the database, its
 * columns would be renamed twice.
 */
export type SelectFrom = Pick<Kysely<Tables>, 'selectFrom'>

/** What a statement runs on if it isn't the database itself: a transaction, or one connection. */
export type On = Pick<Kysely<Tables>, 'executeQuery'>

/**
 * A query that is built and compiled once, when it is first called; a call only fills in its values.
 * The call may pass a transaction to run in.
 * @param build receives an object in which each value is a placeholder: it may only be put into a query
 */
export function statement<Values extends object, Row>(
  db: Kysely<Tables>,
  build: (values: Values) => Compilable<Row>,
): (values: Values, on?: On) => Promise<QueryResult<Row>> {
  return filledIn(db, compiled(build))
}

/** The query with its placeholders, compiled when it is first needed: the first request needs few. */
export function compiled<Values extends object, Row>(
  build: (values: Values) => Compilable<Row>,
): () => CompiledQuery {
  return once(() => {
    // Kysely keeps any value that is not an expression, so the placeholders end up among the parameters.
    const slots = new Proxy({} as Values, { get: (_, name) => new Slot(String(name)) })
    return build(slots).compile()
  })
}

function once<T>(make: () => T): () => T {
  let memo: T | undefined
  return () => {
    memo ??= make()
    return memo
  }
}

/** Runs a query with values for its placeholders. */
export function filledIn<Values extends object, Row>(
  db: Kysely<Tables>,
  compiledQuery: () => CompiledQuery,
): (values: Values, on?: On) => Promise<QueryResult<Row>> {
  const added = once(() => {
    const query = compiledQuery()
    addStatement(query.sql)
    return query
  })
  return (values, on = db) => {
    const query = added()
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
    const cachedStatement = built.get(key)
    if (cachedStatement) return cachedStatement
    const statement = build()
    built.set(key, statement)
    return statement
  }
}
