import { failureOf } from '../base/errors.js'
import { kindOf } from './sqlite-kind.js'
import type { OpenSqlite, SqliteStatement } from './sqlite-statement.js'

/**
 * Takes the write lock. The thread blocks while it waits for another process's lock, so it waits only once: after that,
 * until it gets the lock, a statement that hits it fails at once, and callers that can wait without blocking retry.
 * @param busyTimeout milliseconds
 */
export function createLock(database: OpenSqlite, busyTimeout: number): () => void {
  let hasWaited = false
  return () => {
    try {
      database.exec('begin immediate')
    } catch (error) {
      if (!hasWaited && failureOf(error) === 'locked') {
        hasWaited = true
        database.exec('PRAGMA busy_timeout = 0')
      }
      throw error
    }
    if (!hasWaited) return
    hasWaited = false
    database.exec(`PRAGMA busy_timeout = ${busyTimeout}`)
  }
}

/**
 * Wraps a statement that may write so the lock is held before it runs. libsql leaves a prepared statement that hit a
 * lock half-run: the connection's next write is then acknowledged but not committed, and is undone when that statement
 * runs again. So none may hit a lock.
 * @param lock begins a transaction that holds it
 */
export function locked(database: OpenSqlite, lock: () => void, sql: string): SqliteStatement {
  const kind = kindOf(sql)
  // A transaction that began without the lock would hit it at its first write.
  if (kind === 'begin') return onItsOwn(lock)
  // Kysely rolls back after an error. Some, such as that of a full disk, have ended the transaction: then it must report
  // that error, and not that there is nothing to roll back.
  if (sql === 'rollback') return onItsOwn(() => database.inTransaction && database.exec('rollback'))
  const statement = database.prepare(sql)
  return kind === 'write' ? inTransaction(database, lock, statement) : statement
}

/** Runs without being prepared: if it fails, nothing of it is left. */
function onItsOwn(work: () => void): SqliteStatement {
  const run = (): { changes: number; lastInsertRowid: number } => {
    work()
    return { changes: 0, lastInsertRowid: 0 }
  }
  return { reader: false, run, all: () => [], iterate: () => [][Symbol.iterator]() }
}

function inTransaction(database: OpenSqlite, lock: () => void, statement: SqliteStatement): SqliteStatement {
  function commit<Result>(work: () => Result): Result {
    if (database.inTransaction) return work()
    lock()
    try {
      const result = work()
      database.exec('commit')
      return result
    } catch (error) {
      // A full disk has already ended the transaction.
      if (database.inTransaction) database.exec('rollback')
      throw error
    }
  }
  return {
    reader: statement.reader,
    all: (parameters) => commit(() => statement.all(parameters)),
    run: (parameters) => commit(() => statement.run(parameters)),
    iterate: (parameters) => statement.iterate(parameters),
  }
}
