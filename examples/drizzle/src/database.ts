import { drizzle } from 'drizzle-orm/node-postgres'
import pg from 'pg'

/** Opens PostgreSQL. Its time limits are below the plugin's `adapterTimeout`, so a slow server is a 503 and nothing more. */
export function openDatabase(url: string) {
  const pool = new pg.Pool({
    connectionString: url,
    connectionTimeoutMillis: 3000,
    query_timeout: 4000,
    options: '-c statement_timeout=3500 -c lock_timeout=3000',
  })
  // The next call gets another connection.
  pool.on('error', () => {})
  const db = drizzle(pool)
  return {
    db,
    transaction: <Result>(run: (tx: Transaction) => Promise<Result>) => db.transaction(run),
    close: () => pool.end(),
  }
}

export type Database = ReturnType<typeof openDatabase>
export type Transaction = Parameters<Parameters<ReturnType<typeof drizzle>['transaction']>[0]>[0]

/** How many rows a statement found. */
export const countOf = ({ rowCount }: pg.QueryResult) => rowCount
