import type { Kysely } from 'kysely'
import type { Database } from './database.js'
import type { Tables } from './schema.js'

/**
 * The database as a Kysely with our tables, and without plugins that would rename columns. It may be of another copy
 * of Kysely than the one in this package: what passes between them are plain nodes, and no class of either is asked for.
 */
export function accountsDb(db: Database): Kysely<Tables> {
  return db.withoutPlugins() as unknown as Kysely<Tables>
}
