import type { SqliteStatement } from 'kysely'
import type { OpenSqlite } from './sqlite-dialect.js'

/**
 * What may write. libsql leaves a prepared statement that met a lock half-run: what the connection writes next is then
 * acknowledged, but not committed, and is undone when that statement runs again. So no such statement may meet a lock.
 */
const writes = /^\s*(?:insert|update|delete|replace|create|alter|drop|with)\b/i
const begins = /^\s*begin\b/i

/** The statement, made so that the lock is there before it runs. */
export function locked(database: OpenSqlite, sql: string): SqliteStatement {
  // A transaction that began without the lock would meet it at its first write.
  if (begins.test(sql)) return onItsOwn(database, 'begin immediate')
  const statement = database.prepare(sql)
  return writes.test(sql) ? inTransaction(database, statement) : statement
}

/** Runs without being prepared: where it fails, nothing of it is left. */
function onItsOwn(database: OpenSqlite, sql: string): SqliteStatement {
  const run = (): { changes: number; lastInsertRowid: number } => {
    database.exec(sql)
    return { changes: 0, lastInsertRowid: 0 }
  }
  return { reader: false, run, all: () => [], iterate: () => [][Symbol.iterator]() }
}

function inTransaction(database: OpenSqlite, statement: SqliteStatement): SqliteStatement {
  function commit<Result>(work: () => Result): Result {
    if (database.inTransaction) return work()
    database.exec('begin immediate')
    try {
      const result = work()
      database.exec('commit')
      return result
    } catch (error) {
      // A full disk has ended the transaction already.
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
