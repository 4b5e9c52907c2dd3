import type { Alongside, ListAbility, UserListQuery } from 'fastify-accounts'
import type { Transactions } from './calls.js'
import type { OutboxTable } from './outbox-table.js'
import type { ReadRow, RowCount, UserRow } from './rows.js'

/** What a user is found by. */
export type UserKey = 'id' | 'usernameKey' | 'emailKey' | 'identityKey'

/**
 * A table of users, and one of their identities, as the author knows it: one statement per function. Functions that are
 * given a `tx` run in that transaction; without one they run on any connection.
 *
 * The keys need unique indexes, and comparison byte for byte: `id`, `usernameKey`, `emailKey`, and the key of an
 * identity. If identities refer to users by a foreign key, then with ON DELETE CASCADE.
 */
export interface UserTable<Tx> extends Transactions<Tx> {
  /** The row with this key; `identityKey` is a key in the table of identities. `null` or `undefined` if there is none. */
  find(by: UserKey, key: string, tx?: Tx): Promise<ReadRow<UserRow> | null | undefined>
  /** Inserts the row, without its identities. */
  insert(tx: Tx, row: UserRow): Promise<unknown>
  /**
   * Changes the row that has all the `expected` values: UPDATE … WHERE id = … AND version = … Never reads before it
   * writes. Returns how many rows there were.
   * @param changes the columns to set, `version` included
   */
  compareAndSwap(
    tx: Tx,
    expected: Pick<UserRow, 'id' | 'version'>,
    changes: Partial<UserRow>,
  ): Promise<RowCount>
  /** Deletes all identities of the user, and inserts one for each key. */
  replaceIdentities(tx: Tx, userId: string, keys: readonly string[]): Promise<unknown>
  /** Deletes the row. Returns how many there were. */
  remove(tx: Tx, id: string): Promise<RowCount>
  /** Default: by the codes of PostgreSQL, MySQL, MariaDB, SQLite and Prisma, also of causes. */
  isUniqueViolation?: ((error: unknown) => boolean) | undefined
  /** One page of rows, as `UserStore.list` asks for it. Without it the store can't list users. */
  page?: ((query: UserListQuery) => Promise<readonly ReadRow<UserRow>[]>) | undefined
  /** What `page` can do beyond `kind` and `isUsed`, as in `UserStore.listsBy`. Default: nothing. */
  listsBy?: readonly ListAbility[] | undefined
  /** Messages that wait, in the same database. Without it they wait in memory. */
  outbox?: OutboxTable<Tx> | undefined
  /** What the app changes in the same transaction. Default: nothing. */
  alongside?: Alongside<Tx> | undefined
  /** The database's clock, as in `UserStore.now`. Default: the clock of this process. */
  now?: (() => Promise<Date>) | undefined
  /** Frees what the store holds, such as a pool of connections. Default: nothing. */
  close?: (() => unknown) | undefined
}
