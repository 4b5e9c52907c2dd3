import type { OutboxRow, ReadRow, RowCount } from './rows.js'

/** What a message must still be for a change of it: all three are compared, and `null` equals `null`. */
export type ExpectedMessage = Pick<OutboxRow, 'id' | 'claim' | 'dueAt'>

type Rows = Promise<readonly ReadRow<OutboxRow>[]>

/**
 * A table of messages, as the author knows it: one statement per function. Index it by realm, `dueAt` and id. Times need
 * their milliseconds.
 */
export interface OutboxTable<Tx> {
  insert(tx: Tx, rows: readonly OutboxRow[]): Promise<unknown>
  find(id: string): Promise<ReadRow<OutboxRow> | null | undefined>
  /** Rows with a `dueAt` until `by`, ordered by `dueAt` and id: of a realm, or of all if it is absent. */
  due(query: { realm?: string | undefined; by: Date; limit: number }): Rows
  /** Rows without a `dueAt`, ordered by id: from the first, or those with a greater id than `after`. */
  dead(query: { after?: string | undefined; limit: number }): Rows
  /** How many rows have a `dueAt`, or with `isDead` none: of a realm, or of all if it is absent. */
  count(query: { realm?: string | undefined; isDead: boolean }): Promise<number | bigint | string>
  /** Changes the row that has all the `expected` values. Returns how many there were. */
  compareAndSwap(tx: Tx, expected: ExpectedMessage, changes: Partial<OutboxRow>): Promise<RowCount>
  /** Deletes the row that has all the `expected` values. Returns how many there were. */
  remove(tx: Tx, expected: ExpectedMessage): Promise<RowCount>
}
