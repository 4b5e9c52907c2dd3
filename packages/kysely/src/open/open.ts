import { Kysely } from 'kysely'
import { mysqlDialect, postgresDialect, sqliteDialect } from './dialects.js'

// `Tables` describes your own tables, as for `new Kysely<Tables>`.

/** Opens a SQLite file, with the arguments and errors of `sqliteDialect`. */
export function openSqlite<Tables = unknown>(...place: Parameters<typeof sqliteDialect>): Kysely<Tables> {
  return new Kysely({ dialect: sqliteDialect(...place) })
}

/** PostgreSQL over a new pool of pg, with the arguments and errors of `postgresDialect`. */
export function openPostgres<Tables = unknown>(...place: Parameters<typeof postgresDialect>): Kysely<Tables> {
  return new Kysely({ dialect: postgresDialect(...place) })
}

/** MySQL or MariaDB over a new pool of mysql2, with the arguments and errors of `mysqlDialect`. */
export function openMysql<Tables = unknown>(...place: Parameters<typeof mysqlDialect>): Kysely<Tables> {
  return new Kysely({ dialect: mysqlDialect(...place) })
}
