import type { Compilable, CompiledQuery, Kysely, QueryResult } from 'kysely'

/** Stands for the value of that name, which each call brings. */
class Slot {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

/**
 * A query that is built and compiled once; a call only fills in its values.
 * The call may name a transaction that it runs in.
 * @param build is handed an object in which each value is a stand-in: it may be put into a query, and nothing else
 */
export function statement<DB, Values extends object, Row>(
  db: Kysely<DB>,
  build: (values: Values) => Compilable<Row>,
): (values: Values, on?: Pick<Kysely<DB>, 'executeQuery'>) => Promise<QueryResult<Row>> {
  // Kysely takes any value that is no expression as it is, so that the stand-ins come out among the parameters.
  const slots = new Proxy({} as Values, { get: (_, name) => new Slot(String(name)) })
  const compiled = build(slots).compile()

  return (values, on = db) => {
    const query: CompiledQuery<Row> = {
      ...compiled,
      parameters: compiled.parameters.map((p) => (p instanceof Slot ? values[p.name as keyof Values] : p)),
    }
    return on.executeQuery(query)
  }
}

/** The values of these names, each under its name: what INSERT and SET take. */
export function pick<Values extends object, Name extends keyof Values>(
  values: Values,
  names: readonly Name[],
): Pick<Values, Name> {
  return Object.fromEntries(names.map((name) => [name, values[name]])) as Pick<Values, Name>
}

/** How many rows a statement changed. Some dialects leave the number away where it is 0. */
export function affected({ numAffectedRows = 0n }: QueryResult<unknown>): number {
  return Number(numAffectedRows)
}

/** Whether a statement changed one row. */
export async function isOne(change: Promise<QueryResult<unknown>>): Promise<boolean> {
  return affected(await change) === 1
}
