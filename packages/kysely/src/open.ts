import {
  Kysely,
  MysqlDialect,
  type MysqlPool,
  PostgresDialect,
  type PostgresPool,
  SqliteDialect,
} from 'kysely'
import type { Database } from './database.js'
import { limitMysql, type MysqlOptions, type OpenMysql } from './mysql-pool.js'
import type { NodeSqlite } from './node-sqlite.js'
import { limitPostgres, type OpenPostgres, type PostgresOptions } from './postgres-pool.js'
import { serverLimits } from './server-limit.js'
import { changeNotes } from './sqlite-changes.js'
import { prepareSqlite, type SqliteOptions } from './sqlite-handle.js'
import type { OpenSqlite } from './sqlite-statement.js'

// Each uses the Kysely in this package: an app without its own queries installs and loads no other.

/**
 * Opens a SQLite file, as `sqliteDialect` of `@fastify-accounts/kysely/dialects` does.
 * @param database its path, or a database that was opened with better-sqlite3, node:sqlite or libsql
 * @throws TypeError if an option is wrong or the database is not a file on this machine
 * @throws Error if no driver is available or the file can't be opened
 */
export function openSqlite(
  database: string | OpenSqlite | NodeSqlite,
  options: SqliteOptions = {},
): Database {
  const prepared = prepareSqlite(database, options)
  return new Kysely({ dialect: changeNotes.leave(new SqliteDialect(prepared), prepared.changes) })
}

/**
 * PostgreSQL over a new pool of pg, as `postgresDialect` of `@fastify-accounts/kysely/dialects` does.
 * @throws TypeError if an option is wrong
 */
export function openPostgres(pool: OpenPostgres, options: PostgresOptions = {}): Database {
  const limit = limitPostgres(pool, options)
  const dialect = new PostgresDialect({ pool: pool as PostgresPool })
  return new Kysely({ dialect: serverLimits.leave(dialect, limit) })
}

/**
 * MySQL or MariaDB over a new pool of mysql2, as `mysqlDialect` of `@fastify-accounts/kysely/dialects` does.
 * @throws TypeError if an option is wrong
 */
export function openMysql(pool: OpenMysql, options: MysqlOptions = {}): Database {
  limitMysql(pool, options)
  return new Kysely({ dialect: new MysqlDialect({ pool: pool as MysqlPool }) })
}
