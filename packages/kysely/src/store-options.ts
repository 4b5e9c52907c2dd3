import type { Database } from './database.js'
import type { Naming } from './names.js'

/** What both stores are made from. */
export interface StoreOptions extends Naming {
  /** What an `open…` of this package returned, or a Kysely of your own; its plugins do not apply to the store's queries. */
  db: Database

  /**
   * Whether `close()` also destroys `db`, with its connections. Leave it off where something else uses `db`.
   * @default false
   */
  destroyOnClose?: boolean | undefined
}

/** What `close()` frees in the end. */
export function freeOf(options: StoreOptions): () => Promise<void> {
  return async () => {
    if (options.destroyOnClose) await options.db.destroy()
  }
}
