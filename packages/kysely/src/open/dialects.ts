import { MysqlDialect, type MysqlPool, PostgresDialect, type PostgresPool, SqliteDialect } from 'kysely'
import { ownClients } from './driver-client.js'
import { limitMysql, type MysqlOptions, type OpenMysql } from './mysql-pool.js'
import type { NodeSqlite } from './node-sqlite.js'
import { limitPostgres, type OpenPostgres, ownPools, type PostgresOptions } from './postgres-pool.js'
import { changeNotes } from './sqlite-changes.js'
import { prepareSqlite, type SqliteOptions } from './sqlite-handle.js'
import type { OpenSqlite } from './sqlite-statement.js'

/**
 * A Kysely dialect for a SQLite file. Sets the write-ahead log (readers and a writer do not block each other), foreign
 * keys, and the options; keeps statements prepared. Every transaction takes the write lock when it begins.
 * @param database the path of the file, which is opened with the best available driver (better-sqlite3 if it is
 *   installed, then node:sqlite, then libsql) and created readable only by its owner if it's missing; or a
 *   database that was opened with one of them
 * @throws TypeError if an option is wrong or the database is not a file on this machine
 * @throws Error if no driver is available or the file can't be opened
 */
export function sqliteDialect(
  database: string | OpenSqlite | NodeSqlite,
  options: SqliteOptions = {},
): SqliteDialect {
  const prepared = prepareSqlite(database, options)
  return ownClients.leave(changeNotes.leave(new SqliteDialect(prepared), prepared.changes), {})
}

/**
 * A Kysely dialect over a new pool of pg. The pool drops a connection that the server closes, or on which a query
 * hit `query_timeout`. Each connection limits how long the server may run a statement, wait for a lock, and keep an
 * idle transaction open.
 * @throws TypeError if an option is wrong
 */
export function postgresDialect(
  pool: OpenPostgres & PostgresPool,
  options: PostgresOptions = {},
): PostgresDialect {
  limitPostgres(pool, options)
  return ownClients.leave(ownPools.leave(new PostgresDialect({ pool }), pool), {})
}

/**
 * A Kysely dialect over a new pool of mysql2. A query that gets no response in time fails and closes its connection.
 * The SQL mode `NO_BACKSLASH_ESCAPES` is removed from its connections.
 * @throws TypeError if an option is wrong
 */
export function mysqlDialect(pool: OpenMysql & MysqlPool, options: MysqlOptions = {}): MysqlDialect {
  limitMysql(pool, options)
  return ownClients.leave(new MysqlDialect({ pool }), {})
}
