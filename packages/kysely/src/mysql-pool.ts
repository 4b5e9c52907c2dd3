type Callback = (error: unknown, ...result: unknown[]) => void

/** What this package needs of a connection of mysql2. */
export interface OpenMysqlConnection {
  query(...args: never[]): unknown
  destroy(): void
}

/** What this package needs of a pool of mysql2. */
export interface OpenMysql {
  getConnection(...args: never[]): unknown
  end(...args: never[]): unknown
  on(event: 'connection', listener: (connection: OpenMysqlConnection) => void): unknown
}

/** Options of `openMysql` and `mysqlDialect`. */
export interface MysqlOptions {
  /**
   * Milliseconds that a query may take; the connection it was on is given up then. The server is told to end it by
   * itself after seven eighths of that, as far as it can: MariaDB ends any statement, MySQL only reads, and both wait
   * for a lock in whole seconds, at least one.
   * @default 4000
   */
  queryTimeout?: number | undefined
}

/**
 * Has a query that is not answered in time fail and take its connection with it: mysql2 by itself waits for ever, and
 * hands the connection out again with that answer still to come. Takes the SQL mode `NO_BACKSLASH_ESCAPES` off.
 * @param pool new, without connections yet
 * @throws TypeError where an option is wrong
 */
export function limitMysql(pool: OpenMysql, options: MysqlOptions): void {
  const { queryTimeout: timeout = 4000 } = options
  if (!Number.isSafeInteger(timeout) || timeout < 1) {
    throw new TypeError('queryTimeout must be a whole number of milliseconds, at least 1')
  }
  pool.on('connection', (connection) => {
    const query = connection.query as (...args: unknown[]) => unknown
    query.call(connection, setUp(timeout), (error: unknown) => {
      if (error) connection.destroy()
    })
    connection.query = (sql: unknown, values: unknown, callback?: Callback): unknown => {
      // Without a callback the rows are streamed, as fast as they are taken.
      if (typeof sql !== 'string' || typeof callback !== 'function') {
        return query.call(connection, sql, values, callback)
      }
      return query.call(connection, { sql, values, timeout }, (error: unknown, ...result: unknown[]) => {
        if (error && !isAnswer(error)) connection.destroy()
        callback(error, ...result)
      })
    }
  })
}

/** Seconds that a transaction may stay open on MariaDB while the server waits for us; then it ends the connection. */
const idleTimeout = 10

/** What each connection begins with. A comment that begins with `!` is read by servers from that version on, `M!` by MariaDB. */
function setUp(timeout: number): string {
  const own = Math.ceil((timeout * 7) / 8)
  const lock = Math.max(1, Math.floor((own - 1) / 1000))
  const settings = [
    // mysql2 writes values into the text of a statement, and escapes them with backslashes: in this mode they would be none.
    "sql_mode = replace(@@session.sql_mode, 'NO_BACKSLASH_ESCAPES', '')",
    `innodb_lock_wait_timeout = ${lock}`,
    `lock_wait_timeout = ${lock}`,
  ]
  return `set session ${settings.join(', ')} /*M!100101 , max_statement_time = ${own / 1000} */ /*M!100300 , idle_transaction_timeout = ${idleTimeout} */ /*!50708 , max_execution_time = ${own} */`
}

/** Whether the server itself refused: then the connection is in order. */
function isAnswer(error: unknown): boolean {
  return error instanceof Error && 'sqlState' in error
}
