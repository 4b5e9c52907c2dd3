import type { OpenSqlite } from '@fastify-accounts/kysely'
import { sqliteDialect } from '@fastify-accounts/kysely/dialects'
import { Kysely } from 'kysely'
import SqliteFile from 'libsql'

/** What a driver throws. */
export function driverError(code: string): Error {
  return Object.assign(new Error(`at 10.0.0.5: insert into accounts_users values ('ada', 's3cret')`), {
    code,
  })
}

/** What a transaction begins and ends with, which is no attempt. */
const frames = /^(?:begin|commit|rollback|savepoint|release)\b/

/** A database in memory whose statements can be made to fail, and counted. */
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
    /** The next statements throw these, one each, but those that frame a transaction. */
    failNext(...errors: unknown[]) {
      statements = 0
      faults.splice(0, faults.length, ...errors)
    },
    /** From now on each statement like this throws. */
    failOn(sql: RegExp) {
      hopeless = sql
    },
    /** How many statements were tried since `failNext`. */
    tried: () => statements,
  }
}
