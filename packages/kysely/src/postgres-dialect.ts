import { PostgresDialect, type PostgresPool } from 'kysely'

/** What this package needs of a client of pg. */
export interface OpenPostgresClient {
  on(event: 'error', listener: (error: Error) => void): unknown
  query(...args: never[]): unknown
  end(): Promise<void>
}

/** What this package needs of a `Pool` of pg. */
export interface OpenPostgres extends PostgresPool {
  on(event: 'error', listener: (error: Error) => void): unknown
  on(event: 'connect', listener: (client: OpenPostgresClient) => void): unknown
}

/**
 * A Kysely dialect over a new pool of pg. A connection that the server cuts fails the query that was on it, is
 * dropped by the pool, and that is all: without this, pg's `error` events end the process. So is one on which a query
 * met `query_timeout`: the pool by itself hands it out again with that answer still to come.
 */
export function postgresDialect(pool: OpenPostgres): PostgresDialect {
  // Nothing is lost here: the pool knows already, and a query under way rejects with the same error.
  const known = (): void => {}
  pool.on('error', known)
  pool.on('connect', (client) => {
    client.on('error', known)
    const query = client.query as (...args: unknown[]) => unknown
    client.query = (...args: unknown[]): unknown => {
      const result = query.apply(client, args)
      if (!(result instanceof Promise)) return result
      return result.catch((error: unknown) => {
        // A client that is ending does not go back into the pool.
        if (!isAnswer(error)) client.end().catch(known)
        throw error
      })
    }
  })
  return new PostgresDialect({ pool })
}

/** Whether the server itself refused: then the connection is in order. */
function isAnswer(error: unknown): boolean {
  return error instanceof Error && 'severity' in error
}
