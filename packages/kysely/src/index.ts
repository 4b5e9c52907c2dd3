export type { Engine } from './engine.js'
export { migrate } from './migrate.js'
export { migrationSql } from './migration-sql.js'
export { type MysqlOptions, mysqlDialect, type OpenMysql, type OpenMysqlConnection } from './mysql-dialect.js'
export type { ColumnNames, Naming, TableNames } from './names.js'
export type { NodeSqlite, NodeStatement } from './node-sqlite.js'
export { type DriverName, openDatabase } from './open-database.js'
export {
  type OpenPostgres,
  type OpenPostgresClient,
  type PostgresOptions,
  postgresDialect,
} from './postgres-dialect.js'
export { createKyselySessionStore, type SessionStoreOptions } from './session-store.js'
export { type OpenSqlite, type SqliteOptions, sqliteDialect } from './sqlite-dialect.js'
export type { StoreOptions } from './store-options.js'
export { createKyselyUserStore } from './user-store.js'
