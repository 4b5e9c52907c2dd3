import { type SqliteDatabase, SqliteDialect, type SqliteStatement } from 'kysely'
import { locked } from './sqlite-writes.js'

/** What libsql and better-sqlite3 have in common. */
export interface OpenSqlite extends SqliteDatabase {
  readonly inTransaction: boolean
  exec(sql: string): unknown
}

export interface SqliteOptions {
  /**
   * Milliseconds that a statement waits for another process's lock. The whole process waits with it, because these
   * drivers block; the stores try again a few times, so that short waits do.
   * @default 500
   */
  busyTimeout?: number | undefined

  /**
   * `FULL`: what was acknowledged survives a power cut, at the price of one disk flush a write. `NORMAL`: much
   * faster, but a power cut may take back the last moments, and with them a changed password or a logout.
   * @default 'FULL'
   */
  synchronous?: 'FULL' | 'NORMAL' | undefined
}

/** Statements that are kept prepared; far more than the stores have. */
const kept = 200

/**
 * A Kysely dialect over a database that was opened with libsql or better-sqlite3. Sets the write-ahead log (readers
 * and a writer do not block each other), foreign keys, and the options; keeps statements prepared, which makes a
 * look-up about three times as fast. Every transaction takes the lock for writing as it begins.
 * @throws TypeError where an option is wrong
 */
export function sqliteDialect(database: OpenSqlite, options: SqliteOptions = {}): SqliteDialect {
  const { busyTimeout = 500, synchronous = 'FULL' } = options
  if (!Number.isSafeInteger(busyTimeout) || busyTimeout < 0) {
    throw new TypeError('busyTimeout must be a whole number of milliseconds')
  }
  if (synchronous !== 'FULL' && synchronous !== 'NORMAL') {
    throw new TypeError("synchronous must be 'FULL' or 'NORMAL'")
  }
  // First the timeout: switching to the write-ahead log may have to wait as well.
  database.exec(`PRAGMA busy_timeout = ${busyTimeout}`)
  database.exec('PRAGMA journal_mode = WAL')
  database.exec(`PRAGMA synchronous = ${synchronous}`)
  database.exec('PRAGMA foreign_keys = ON')
  return new SqliteDialect({ database: keepingStatements(database) })
}

/** Kysely prepares a statement for each call. Statements of one SQL text never overlap: it runs one at a time. */
function keepingStatements(database: OpenSqlite): SqliteDatabase {
  const statements = new Map<string, SqliteStatement>()
  return {
    prepare(sql) {
      const known = statements.get(sql)
      if (known) return known
      const statement = locked(database, sql)
      if (statements.size >= kept) statements.clear()
      statements.set(sql, statement)
      return statement
    },
    close() {
      statements.clear()
      database.close()
    },
  }
}
