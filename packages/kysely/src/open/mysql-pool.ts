import { saysReadOnly } from '../base/errors.js'
import { createRenewal } from '../base/renewal.js'
import { askForClient, clientRows } from './driver-client.js'

type Callback = (error: unknown, ...result: unknown[]) => void

/** What this package needs from a connection of mysql2. */
export interface OpenMysqlConnection {
  query(...args: never[]): unknown
  destroy(): void
  /** Of a connection in use: gives it back to the pool. */
  release?: () => void
}

/** What this package needs from a pool of mysql2. */
export interface OpenMysql {
  getConnection(...args: never[]): unknown
  end(...args: never[]): unknown
  on(event: 'connection', listener: (connection: OpenMysqlConnection) => void): unknown
  /** mysql2 has no public count of its connections. */
  readonly _allConnections?: { readonly length: number }
}

/** Options of `openMysql` and `mysqlDialect`. */
export interface MysqlOptions {
  /**
   * Milliseconds that a query may take; after that its connection is closed. The server ends it by itself after
   * seven eighths of that, as far as it can: MariaDB ends any statement, MySQL only reads, and both wait for a lock
   * in whole seconds, at least one.
   * @default 4000
   */
  queryTimeout?: number | undefined
}

/**
 * Makes a query that gets no response in time fail and close its connection: by default mysql2 waits forever, and
 * reuses the connection with that response still to come. After a write that a read-only server refused, as after a
 * failover, all connections are replaced as they are used. Removes the SQL mode `NO_BACKSLASH_ESCAPES`.
 * @param pool new, without connections yet
 * @throws TypeError if an option is wrong
 */
export function limitMysql(pool: OpenMysql, options: MysqlOptions): void {
  const { queryTimeout: timeout = 4000 } = options
  if (!Number.isSafeInteger(timeout) || timeout < 1) {
    throw new TypeError('queryTimeout must be a whole number of milliseconds, at least 1')
  }
  // Those would have no limits, and some calls would fail: which ones depends on the connection that they get.
  const { length = 0 } = pool._allConnections ?? {}
  if (length > 0) {
    throw new TypeError(
      `pool must be new, but it already has connections (${length}): pass it to openMysql before you use it`,
    )
  }
  const renewal = createRenewal()
  pool.on('connection', (connection) => {
    const isOutdated = renewal.watch()
    const query = connection.query as (...args: unknown[]) => unknown
    query.call(connection, setUp(timeout), (error: unknown) => {
      if (error) connection.destroy()
    })
    connection.query = (sql: unknown, values: unknown, callback?: Callback): unknown => {
      if (isOutdated()) closeAfterUse(connection)
      // Without a callback the rows are streamed, as fast as they are consumed.
      if (typeof sql !== 'string' || typeof callback !== 'function') {
        return query.call(connection, sql, values, callback)
      }
      if (sql === askForClient) return callback(null, clientRows(connection))
      return query.call(connection, { sql, values, timeout }, (error: unknown, ...result: unknown[]) => {
        if (error && !isResponse(error)) connection.destroy()
        if (saysReadOnly(error)) {
          renewal.refused()
          closeAfterUse(connection)
        }
        callback(error, ...result)
      })
    }
  })
}

/** Not now: the caller that has the connection may have a transaction to roll back. */
function closeAfterUse(connection: OpenMysqlConnection): void {
  connection.release = () => connection.destroy()
}

/** Seconds that a transaction may stay idle on MariaDB before the server closes the connection. */
const idleTimeout = 10

/** What each connection begins with. A comment that begins with `!` is read by servers from that version on, `M!` by MariaDB. */
function setUp(timeout: number): string {
  const own = Math.ceil((timeout * 7) / 8)
  const lock = Math.max(1, Math.floor((own - 1) / 1000))
  const settings = [
    // mysql2 escapes the values in a statement's text with backslashes, which this mode would take literally.
    "sql_mode = replace(@@session.sql_mode, 'NO_BACKSLASH_ESCAPES', '')",
    `innodb_lock_wait_timeout = ${lock}`,
    `lock_wait_timeout = ${lock}`,
  ]
  return `set session ${settings.join(', ')} /*M!100101 , max_statement_time = ${own / 1000} */ /*M!100300 , idle_transaction_timeout = ${idleTimeout} */ /*!50708 , max_execution_time = ${own} */`
}

/** Whether the error came from the server itself: then the connection is fine. */
function isResponse(error: unknown): boolean {
  return error instanceof Error && 'sqlState' in error
}
