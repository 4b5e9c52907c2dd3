import type { UserStore } from 'fastify-accounts'
import type { Transactions } from './calls.js'
import type { InvitationRow, ReadRow, RowCount } from './rows.js'

/** What an invitation must still be for a change of it. */
export type ExpectedInvitation = Pick<InvitationRow, 'id' | 'version'>

/** What a page of invitations asks for; absent: all of them. */
export interface InvitationPage {
  target?: string | undefined
  /** '' for the app's own code. */
  inviterId?: string | undefined
  /** Only rows after this position, whose row may be gone. */
  after?: Pick<InvitationRow, 'createdAt' | 'id'> | undefined
  limit: number
}

/**
 * A table of invitations, as the author knows it: one statement per function. Functions that are given a `tx` run in that
 * transaction; without one they run on any connection.
 *
 * `id` needs a unique index, and so do `target`, `inviterId` and `emailKey` together; all are compared byte for byte. Index
 * `emailKey`, `createdAt` with `id`, and `expiresAt`.
 */
export interface InvitationTable<Tx> extends Transactions<Tx> {
  /** Inserts the row; rejects if a unique index refuses it. */
  insert(tx: Tx, row: InvitationRow): Promise<unknown>
  /** The row with this id. `null` or `undefined` if there is none. */
  find(id: string, tx?: Tx): Promise<ReadRow<InvitationRow> | null | undefined>
  /** All rows of the address, in any order. */
  listByEmail(emailKey: string): Promise<readonly ReadRow<InvitationRow>[]>
  /** At most `limit` rows, by `createdAt` and `id`. */
  page(query: InvitationPage): Promise<readonly ReadRow<InvitationRow>[]>
  /**
   * Changes the row that has both `expected` values. Returns how many there were.
   * @param changes the columns to set, `version` included
   */
  compareAndSwap(tx: Tx, expected: ExpectedInvitation, changes: Partial<InvitationRow>): Promise<RowCount>
  /** Deletes the row that has both `expected` values. Returns how many there were. */
  remove(tx: Tx, expected: ExpectedInvitation): Promise<RowCount>
  /** Deletes at most `limit` rows with an `expiresAt` before `before`. Returns how many. */
  removeExpired(tx: Tx, before: Date, limit: number): Promise<RowCount>
  /** Default: by the codes of PostgreSQL, MySQL, MariaDB, SQLite and Prisma, also of causes. */
  isUniqueViolation?: ((error: unknown) => boolean) | undefined
  /**
   * The user store that `createTableUserStore` made with the same function as `transaction`, and that you pass to the
   * plugin: if it has an outbox, an invitation and its email are then one transaction. Default: one after the other.
   */
  userStore?: UserStore | undefined
  /** The database's clock, as in `InvitationStore.now`. Default: that of `userStore`, or else the clock of this process. */
  now?: (() => Promise<Date>) | undefined
  /** Frees what the store holds. Default: nothing. */
  close?: (() => unknown) | undefined
}
