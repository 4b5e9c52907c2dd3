import type { Kysely } from 'kysely'
import type { Database } from './database.js'
import type { Tables } from './schema.js'

/** The database as a Kysely with our tables, and without plugins that would rename columns. */
export function accountsDb(db: Database): Kysely<Tables> {
  return db.withoutPlugins() as unknown as Kysely<Tables>
}
