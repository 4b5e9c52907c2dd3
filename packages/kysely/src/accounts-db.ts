import type { Kysely } from 'kysely'
import type { Database } from './database.js'
import type { Tables } from './schema.js'

/**
 * The database as a Kysely with our tables, and without plugins that would rename columns. Every `Database` is a Kysely,
 * but its type, written by hand, says only what integrators need. It may come from another copy of Kysely than this
 * package's: plain nodes pass between the two, and neither's classes are asked for.
 */
export function accountsDb(db: Database): Kysely<Tables> {
  return db.withoutPlugins() as unknown as Kysely<Tables>
}
