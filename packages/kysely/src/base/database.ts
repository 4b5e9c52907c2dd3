/**
 * A Kysely on SQLite, PostgreSQL, MySQL or MariaDB. Its class is nominal, and Kysely 0.28 declares it twice, for ES
 * modules and for CommonJS: this type accepts both.
 */
export interface Database {
  /** Closes its connections. */
  destroy(): Promise<void>
  withoutPlugins(): Database
  getExecutor(): { readonly adapter: object }
}
