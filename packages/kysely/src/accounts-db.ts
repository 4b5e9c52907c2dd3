import type { Kysely } from 'kysely'
import type { Database } from './database.js'
import type { Tables } from './schema.js'

/**
 * The database as a Kysely with our tables, and without plugins that would rename columns. Every `Database` is a Kysely,
 * but its hand-written type says only what integrators need. It may come from another copy of Kysely than this
 * package's: the two exchange plain nodes and never check each other's classes.
 */
export function accountsDb(db: Database): Kysely<Tables> {
  return db.withoutPlugins() as unknown as Kysely<Tables>
}
