import type { Alongside } from 'fastify-accounts'
import type { Database } from '../base/database.js'
import type { Naming } from '../columns/names.js'
import type { AlongsideTransaction } from './host-transaction.js'

/** Options of all stores. */
export interface StoreOptions extends Naming {
  /** The database. The plugins of a Kysely do not apply to the store's queries. */
  db: Database

  /**
   * Whether `close()` also destroys `db`, with its connections. Leave it off if something else uses `db`.
   * @default false
   */
  destroyOnClose?: boolean | undefined
}

/** Options of `createKyselyUserStore`. */
export interface UserStoreOptions<Db extends Database = Database> extends StoreOptions {
  db: Db

  /**
   * Your own rows beside a user, in the transaction that creates, deletes or hands over the user. `tx` is a transaction of
   * your Kysely.
   */
  alongside?: Alongside<AlongsideTransaction<Db>> | undefined
}

/** @throws TypeError of one line that names an option that there isn't */
export function checkStoreOptions(options: object, own?: string): void {
  for (const name of Object.keys(options))
    if (!['db', 'destroyOnClose', 'tables', 'columns', own].includes(name))
      throw new TypeError(`${name} is not an option`)
}

/** What `close()` finally frees. */
export function freeOf(options: StoreOptions): () => Promise<void> {
  return async () => {
    if (options.destroyOnClose) await options.db.destroy()
  }
}
