import type { PendingMessage, StoredUser, UserChanges, UserStore } from 'fastify-accounts'
import type { Transactions, Write } from './calls.js'
import type { ReadRow, UserRow } from './rows.js'

/** The arguments of `UserStore.update`, and the deadline of the call. */
export interface UserChange {
  id: string
  changes: UserChanges
  expectedVersion: number
  messages: readonly PendingMessage[]
  deadline: number
}

/** The arguments of `UserStore.delete`. */
export interface UserDeletion {
  id: string
  messages: readonly PendingMessage[]
  successor: StoredUser | undefined
  expectedVersion: number | undefined
}

/** What another store needs of the user store, to write in one transaction with it. */
export interface UserOrigin<Tx> {
  transaction: Transactions<Tx>['transaction']
  findRow(id: string): Promise<ReadRow<UserRow> | null | undefined>
  /** `UserStore.update`, and in the same transaction `besides`, if the user is changed. */
  update(write: Write<Tx>, change: UserChange, besides: (tx: Tx) => Promise<void>): Promise<StoredUser | null>
  /**
   * Checks the arguments at once, and asks for the time when it is called, with the deadline of the call; what that resolves to
   * deletes the user as `UserStore.delete` does, and returns whether there was one.
   */
  deleter(deletion: UserDeletion): (deadline: number) => Promise<(tx: Tx) => Promise<boolean>>
  /** Checks the messages at once, and asks for the time when it is called; what that resolves to inserts them. */
  poster(messages: readonly PendingMessage[]): () => Promise<(tx: Tx) => Promise<void>>
}

const origins = new WeakMap<UserStore, unknown>()

export function setOrigin<Tx>(store: UserStore, origin: UserOrigin<Tx>): void {
  origins.set(store, origin)
}

/** @throws TypeError if the store isn't one of `createTableUserStore` with this `transaction` */
export function originOf<Tx>(store: UserStore, transaction: Transactions<Tx>['transaction']): UserOrigin<Tx> {
  // The same function has the same Tx.
  const origin = origins.get(store) as UserOrigin<Tx> | undefined
  if (origin?.transaction === transaction) return origin
  throw new TypeError('userStore must be a store of createTableUserStore with the same transaction function')
}
