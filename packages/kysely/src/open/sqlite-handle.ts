import { createRequire } from 'node:module'
import { askForClient, clientRows } from './driver-client.js'
import { fromNodeSqlite, isNodeSqlite, type NodeSqlite, nativeOf } from './node-sqlite.js'
import { type SqliteChanges, sqliteChanges } from './sqlite-changes.js'
import { openSqliteFile } from './sqlite-drivers.js'
import {
  isArrayStatement,
  type OpenSqlite,
  type SqliteDatabase,
  type SqliteStatement,
  type Values,
} from './sqlite-statement.js'
import { createLock, locked } from './sqlite-writes.js'

/** Options of `openSqlite` and `sqliteDialect`. */
export interface SqliteOptions {
  /**
   * Milliseconds that a statement waits for another process's lock. These drivers block, so the whole process waits.
   * It waits only once: if the lock is still held after that, statements fail at once. The stores retry without
   * blocking until their call's deadline; your own statement rejects with `SQLITE_BUSY`.
   * @default 100
   */
  busyTimeout?: number | undefined

  /**
   * `FULL`: acknowledged writes survive a power cut, at the cost of one disk flush per write. `NORMAL`: much
   * faster, but a power cut may lose the last moments, such as a changed password or a logout.
   * @default 'FULL'
   */
  synchronous?: 'FULL' | 'NORMAL' | undefined
}

/** Statements that are kept prepared; far more than the stores have. */
const kept = 200

/** The parts of a Kysely dialect, and what tracks changes to it. */
export interface PreparedSqlite {
  database: SqliteDatabase
  changes: SqliteChanges
}

/** What `sqliteDialect` documents. Prepared statements make a lookup about three times as fast. */
export function prepareSqlite(
  database: string | OpenSqlite | NodeSqlite,
  options: SqliteOptions,
): PreparedSqlite {
  const { busyTimeout = 100, synchronous = 'FULL' } = options
  if (!Number.isSafeInteger(busyTimeout) || busyTimeout < 0) {
    throw new TypeError('busyTimeout must be a whole number of milliseconds')
  }
  if (synchronous !== 'FULL' && synchronous !== 'NORMAL') {
    throw new TypeError("synchronous must be 'FULL' or 'NORMAL'")
  }
  const handle = handleOf(database)
  // Set the timeout first: switching to the write-ahead log may have to wait as well.
  handle.exec(`PRAGMA busy_timeout = ${busyTimeout}`)
  handle.exec('PRAGMA journal_mode = WAL')
  handle.exec(`PRAGMA synchronous = ${synchronous}`)
  handle.exec('PRAGMA foreign_keys = ON')
  const changes = sqliteChanges(handle, typeof database !== 'string')
  return { database: keepingStatements(handle, createLock(handle, busyTimeout), changes), changes }
}

function handleOf(database: string | OpenSqlite | NodeSqlite): OpenSqlite {
  if (typeof database !== 'string') {
    const handle = isNodeSqlite(database) ? fromNodeSqlite(database) : database
    if (!isFileHere(handle)) throw new TypeError(notHere)
    return handle
  }
  // One letter and a colon is a Windows drive.
  if (/^[a-z][\w+.-]+:/i.test(database)) throw new TypeError(notHere)
  // In a CommonJS bundle `import.meta.url` may be undefined.
  return openSqliteFile(database, createRequire(import.meta.url ?? `${process.cwd()}/`))
}

const notHere = 'SQLite needs the path of a file, or a file opened on this machine, not a URL or a replica'

/**
 * libsql also opens remote databases and their replicas: their lock is elsewhere, and no mark reflects all changes.
 * Its response to `sync`, which a file rejects, shows which it is.
 */
function isFileHere(database: OpenSqlite & { sync?: unknown }): boolean {
  if (typeof database.sync !== 'function') return true
  try {
    database.sync()
    return false
  } catch (error) {
    return /not ?supported/i.test(String(error)) && !/remote/i.test(String(error))
  }
}

/** Kysely prepares a statement for each call. Statements with the same SQL never overlap: it runs one at a time. */
function keepingStatements(database: OpenSqlite, lock: () => void, changes: SqliteChanges): SqliteDatabase {
  const client = nativeOf(database)
  const statements = new Map<string, SqliteStatement>()
  return {
    prepare(sql) {
      if (sql === askForClient) return clientStatement(client)
      const cachedStatement = statements.get(sql)
      if (cachedStatement) return cachedStatement
      const statement = changes.noticing(sql, inArrays(sql, locked(database, lock, sql)))
      if (statements.size >= kept) statements.clear()
      statements.set(sql, statement)
      return statement
    },
    close() {
      statements.clear()
      changes.stop()
      database.close()
    },
  }
}

function clientStatement(client: object): SqliteStatement {
  const all = (): object[] => clientRows(client)
  return { reader: true, all, run: () => ({ changes: 0, lastInsertRowid: 0 }), iterate: () => all().values() }
}

/**
 * The statement, with rows that native code returns as arrays and that become objects here.
 */
function inArrays(sql: string, statement: SqliteStatement): SqliteStatement {
  // `*` depends on the table's columns at the time, and the names are read only once.
  if (!statement.reader || sql.includes('*') || !isArrayStatement(statement)) return statement
  const names = statement.columns().map(({ name }) => name)
  const toRow = (values: Values) => {
    const row: Record<string, unknown> = {}
    names.forEach((name, at) => {
      row[name] = values[at]
    })
    return row
  }
  statement.raw()
  return {
    reader: true,
    all: (parameters) => statement.all(parameters).map(toRow),
    run: (parameters) => statement.run(parameters),
    *iterate(parameters) {
      for (const values of statement.iterate(parameters)) yield toRow(values)
    },
  }
}
