import type { UserStore } from 'fastify-accounts'
import type { Transactions } from './calls.js'
import type { ReadRow, RowCount, SessionRow, VisitorRow } from './rows.js'

/** What a session must still be for a change of it. */
export type ExpectedSession = Pick<SessionRow, 'id' | 'generation' | 'seenGeneration' | 'confirmation'>

/**
 * A table of sessions, as the author knows it: one statement per function. Functions that are given a `tx` run in that
 * transaction; without one they run on any connection.
 *
 * The id needs a unique index and comparison byte for byte. Index `userId` and `expiresAt`. No foreign key to the users is
 * needed; with one, use ON DELETE CASCADE.
 */
export interface SessionTable<Tx> extends Transactions<Tx> {
  /** Inserts the row; rejects if there is one with its id. */
  insert(tx: Tx, row: SessionRow): Promise<unknown>
  /** The row with this id, expired or not. `null` or `undefined` if there is none. */
  find(id: string, tx?: Tx): Promise<ReadRow<SessionRow> | null | undefined>
  /** Changes the row that has all the `expected` values. Returns how many there were, even if nothing is different. */
  compareAndSwap(tx: Tx, expected: ExpectedSession, changes: Partial<SessionRow>): Promise<RowCount>
  /** Deletes the row. Returns how many there were. */
  remove(tx: Tx, id: string): Promise<RowCount>
  /** All rows of the user, expired or not, in any order. */
  listByUser(userId: string): Promise<readonly ReadRow<SessionRow>[]>
  /** Deletes all rows of the user, but not the one with the id `keptId`, which may be empty. Returns how many there were. */
  removeByUser(tx: Tx, userId: string, keptId: string): Promise<RowCount>
  /** Deletes at most `limit` rows with an `expiresAt` before `before`. Returns how many. */
  removeExpired(tx: Tx, before: Date, limit: number): Promise<RowCount>
  /** Default: by the codes of PostgreSQL, MySQL, MariaDB, SQLite and Prisma, also of causes. */
  isUniqueViolation?: ((error: unknown) => boolean) | undefined
  /**
   * The user store that `createTableUserStore` made with the same function as `transaction`, and that you pass to the
   * plugin: a login, and a change that ends sessions, is then one transaction. Default: one for the user, one for the
   * sessions.
   */
  userStore?: UserStore | undefined
  /**
   * In one query, such as a join, what `find` returns and the row of its user; only with `userStore`. Default: two
   * queries.
   */
  findWithUser?:
    | ((
        id: string,
      ) => Promise<
        { session: ReadRow<SessionRow>; user: ReadRow<VisitorRow> | null | undefined } | null | undefined
      >)
    | undefined
  /** The database's clock, as in `SessionStore.now`. Default: that of `userStore`, or else the clock of this process. */
  now?: (() => Promise<Date>) | undefined
  /** Frees what the store holds. Default: nothing. */
  close?: (() => unknown) | undefined
}
