/**
 * Stores on SQL databases through Kysely, and their migrations.
 *
 * @module kysely
 */

export { createKyselyActivity } from './activity/activity-store.js'
export { type FilledKeys, fillKeys } from './adopt/fill-keys.js'
export { surveyUsers, type UsersSurvey } from './adopt/survey-users.js'
export type { Database } from './base/database.js'
export type { Engine } from './base/engine.js'
export type { ColumnNames, Naming, TableNames } from './columns/names.js'
export { describeTables } from './inspect/describe-tables.js'
export { type LiveColumn, type LiveTable, readTable } from './inspect/live-tables.js'
export { createKyselyInvitationStore, type InvitationStoreOptions } from './invitations/invitation-store.js'
export { migrate } from './migrate/migrate.js'
export { migrationSql } from './migrate/migration-sql.js'
export { mysqlDialect, postgresDialect, sqliteDialect } from './open/dialects.js'
export type { MysqlOptions, OpenMysql, OpenMysqlConnection } from './open/mysql-pool.js'
export type { NodeSqlite, NodeStatement } from './open/node-sqlite.js'
export { openMysql, openPostgres, openSqlite } from './open/open.js'
export { type DriverName, openDatabase } from './open/open-database.js'
export type { OpenPostgres, OpenPostgresClient, PostgresOptions } from './open/postgres-pool.js'
export type { SqliteOptions } from './open/sqlite-handle.js'
export type { OpenSqlite, SqliteStatement } from './open/sqlite-statement.js'
export type { AlongsideTransaction } from './run/host-transaction.js'
export type { StoreOptions, UserStoreOptions } from './run/store-options.js'
export { createKyselySessionStore, type SessionStoreOptions } from './sessions/session-store.js'
export { expectsAlongside } from './users/alongside-note.js'
export { createKyselyUserStore } from './users/user-store.js'
