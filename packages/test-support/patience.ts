import { mysqlDialect, postgresDialect } from '@fastify-accounts/kysely'
import { Kysely } from 'kysely'
import { createPool } from 'mysql2'
import pg from 'pg'
import type { Place } from './databases.js'

/**
 * A pool with the timeouts that docs/adapters/kysely.md recommends, but shorter.
 * @param timeout milliseconds
 */
export function connectWithin(
  { driver, url }: Place & { driver: 'pg' | 'mysql2' },
  timeout: number,
  connections: number,
): Kysely<unknown> {
  if (driver === 'pg') {
    const options = { connectionTimeoutMillis: timeout, query_timeout: timeout }
    return new Kysely({
      dialect: postgresDialect(new pg.Pool({ connectionString: url, max: connections, ...options })),
    })
  }
  const pool = createPool({ uri: url, connectTimeout: timeout, connectionLimit: connections })
  return new Kysely({ dialect: mysqlDialect(pool, { queryTimeout: timeout }) })
}
