import type { Kysely } from 'kysely'
import type { Naming } from './names.js'

/** What both stores are made from. */
export interface StoreOptions<DB> extends Naming {
  /** A Kysely on SQLite, PostgreSQL, MySQL or MariaDB. Its plugins do not apply to the store's queries. */
  db: Kysely<DB>

  /**
   * Whether `close()` also destroys `db`, with its connections. Leave it off where something else uses `db`.
   * @default false
   */
  destroyOnClose?: boolean | undefined
}

/** What `close()` frees in the end. */
export function freeOf<DB>(options: StoreOptions<DB>): () => Promise<void> {
  return async () => {
    if (options.destroyOnClose) await options.db.destroy()
  }
}
