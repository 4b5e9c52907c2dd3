import { PostgresDialect, type PostgresPool } from 'kysely'

interface Emitter {
  on(event: 'error', listener: (error: Error) => void): unknown
}

/** What this package needs of a `Pool` of pg. */
export interface OpenPostgres extends PostgresPool {
  on(event: 'error', listener: (error: Error) => void): unknown
  on(event: 'connect', listener: (client: Emitter) => void): unknown
}

/**
 * A Kysely dialect over a new pool of pg. A connection that the server cuts fails the query that was on it, is
 * dropped by the pool, and that is all: without this, pg's `error` events end the process.
 */
export function postgresDialect(pool: OpenPostgres): PostgresDialect {
  // Nothing is lost here: the pool knows already, and a query under way rejects with the same error.
  const known = (): void => {}
  pool.on('error', known)
  pool.on('connect', (client) => client.on('error', known))
  return new PostgresDialect({ pool })
}
