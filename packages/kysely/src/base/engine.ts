import { sql } from 'kysely'
import { accountsDb } from './accounts-db.js'
import type { Database } from './database.js'

/** The SQL families this package supports. MariaDB is `mysql`, PGlite is `postgres`, libsql is `sqlite`. */
export type Engine = 'sqlite' | 'postgres' | 'mysql'

/** How each writes a parameter and a name. */
const engines: Partial<Record<string, Engine>> = {
  'select ? as "name"': 'sqlite',
  'select $1 as "name"': 'postgres',
  'select ? as `name`': 'mysql',
}

/**
 * Detected from the SQL it writes, because each copy of Kysely has its own classes.
 * @throws TypeError if the dialect is of another family
 */
export function engineOf(db: Database): Engine {
  const engine = engines[sql`select ${1} as ${sql.id('name')}`.compile(accountsDb(db)).sql]
  if (engine === undefined) throw new TypeError('db must be a Kysely on SQLite, PostgreSQL or MySQL')
  return engine
}
