import { type OpenSqlite, sqliteDialect } from '@fastify-accounts/kysely'
import { Kysely } from 'kysely'
import SqliteFile from 'libsql'

/** An error as drivers throw it. */
export function driverError(code: string): Error {
  return Object.assign(new Error(`at 10.0.0.5: insert into accounts_users values ('ada', 's3cret')`), {
    code,
  })
}

/** Statements around a transaction, which don't count as attempts. */
const frames = /^(?:begin|commit|rollback|savepoint|release)\b/

/** An in-memory database whose statements can be counted and made to fail. */
export function faultySqlite() {
  const file = new SqliteFile(':memory:')
  const faults: unknown[] = []
  let statements = 0
  let hopeless: RegExp | undefined
  const attempt = <T>(sql: string, work: () => T): T => {
    if (!frames.test(sql)) {
      statements += 1
      if (faults.length > 0) throw faults.shift()
    }
    if (hopeless?.test(sql)) throw driverError('SQLITE_IOERR')
    return work()
  }
  const database: OpenSqlite = {
    get inTransaction() {
      return file.inTransaction
    },
    exec: (sql) => file.exec(sql),
    close: () => file.close(),
    prepare(sql) {
      const statement = file.prepare(sql)
      return {
        reader: statement.reader,
        all: (parameters) => attempt(sql, () => statement.all(parameters)),
        run: (parameters) => attempt(sql, () => statement.run(parameters)),
        iterate: (parameters) => statement.iterate(parameters),
      }
    },
  }
  return {
    db: new Kysely<unknown>({ dialect: sqliteDialect(database) }),
    /** The next statements throw these, one each, except those around a transaction. */
    failNext(...errors: unknown[]) {
      statements = 0
      faults.splice(0, faults.length, ...errors)
    },
    /** From now on, every matching statement throws. */
    failOn(sql: RegExp) {
      hopeless = sql
    },
    /** How many statements were attempted since `failNext`. */
    tried: () => statements,
  }
}
