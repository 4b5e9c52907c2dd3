import type { Kysely, QueryExecutor } from 'kysely'
import type { Database } from '../base/database.js'
import type { Tables } from '../base/schema.js'
import { clientOf, closableClient } from '../open/driver-client.js'

/**
 * The transaction that the functions of `alongside` get: a `Transaction` of your Kysely, with your tables and plugins,
 * until it ends.
 */
export type AlongsideTransaction<Db, Client = unknown> = TransactionOf<Db> & {
  /**
   * The driver's own client, in the same transaction, for another query builder: `drizzle(tx.client)`. The `PoolClient` of
   * pg, the connection of mysql2, or the `Database` of better-sqlite3, node:sqlite or libsql, if the database was opened by
   * this package, or is a Kysely over one of its dialects; otherwise `undefined`.
   */
  readonly client: Client
}

/** By structure: Kysely's classes are nominal, and there are two of each. */
type TransactionOf<Db> = Db extends {
  transaction(): { execute(callback: (transaction: infer Tx) => Promise<unknown>): unknown }
}
  ? Tx
  : unknown

/**
 * The transaction as the app sees it.
 * @returns also `end`, after which every statement of the app's throws: one that comes late would run after the rollback,
 * for itself, or in somebody else's transaction
 */
export async function hostTransaction<Tx>(
  host: Database,
  on: Kysely<Tables>,
): Promise<{ tx: Tx; end(): void }> {
  let isOpen = true
  const assertOpen = (): void => {
    if (!isOpen) throw new Error('the transaction of alongside has ended')
  }
  const own = on.withoutPlugins()
  const inside = own.getExecutor()
  const executor = inside
    .withConnectionProvider({
      provideConnection: (consumer) =>
        inside.provideConnection(async (connection) => {
          assertOpen()
          return consumer(connection)
        }),
    })
    .withPlugins(pluginsOf(host))
  const rest = { config: {}, driver: {}, dialect: { createIntrospector: () => own.introspection } }
  // Of the app's class, which may be that of another copy of Kysely.
  const tx = Reflect.construct(own.constructor, [{ ...rest, executor }])
  const client = await clientOf(host, own)
  Object.defineProperty(tx, 'client', { value: client && closableClient(client, assertOpen) })
  return {
    tx,
    end() {
      isOpen = false
    },
  }
}

function pluginsOf(host: Database): QueryExecutor['plugins'] {
  return (host.getExecutor() as QueryExecutor).plugins
}
