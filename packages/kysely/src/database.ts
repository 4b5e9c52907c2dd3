/**
 * A database: what `openSqlite`, `openPostgres`, `openMysql` or `openDatabase` opened, or a Kysely of your own, 0.28 or
 * 0.29, on SQLite, PostgreSQL, MySQL or MariaDB. Written by hand, so these types don't require Kysely.
 */
export interface Database {
  /** Closes its connections. */
  destroy(): Promise<void>
  withoutPlugins(): Database
  getExecutor(): { readonly adapter: object }
}
