import type { Kysely } from 'kysely'
import type { TableNames } from './schema.js'

/** What both stores are made from. */
export interface StoreOptions<DB> {
  /** A Kysely on SQLite, PostgreSQL, MySQL or MariaDB. Its plugins do not apply to the store's queries. */
  db: Kysely<DB>

  /** Other names for the tables; the same as `migrate` was given. */
  tables?: Partial<TableNames> | undefined

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
