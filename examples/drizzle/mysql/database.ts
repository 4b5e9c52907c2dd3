import { drizzle, type MySqlRawQueryResult } from 'drizzle-orm/mysql2'
import { createPool } from 'mysql2/promise'

/** Opens MariaDB or MySQL. Times are read and written in UTC. */
export function openDatabase(url: string) {
  const pool = createPool({ uri: url, connectTimeout: 3000, timezone: 'Z' })
  pool.on('connection', (connection) => {
    connection.query('set session lock_wait_timeout = 3, innodb_lock_wait_timeout = 3')
  })
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
export const countOf = ([{ affectedRows }]: MySqlRawQueryResult) => affectedRows
