import type { PendingMail, StoredUser, UserChanges, UserStore } from 'fastify-accounts'
import type { Kysely } from 'kysely'
import type { Write } from './calls.js'
import type { Database } from './database.js'
import type { Names } from './names.js'
import type { Tables } from './schema.js'
import type { UserRow } from './user-row.js'

/** What a session store on the same database has of a user store of ours. */
interface Origin {
  db: Database
  names: Names
  /**
   * A change of a user by a statement of the caller's, with the errors that the seam promises.
   * @param run handed the columns that change; resolves to what it found, or `undefined` if there is no such version
   */
  updateBy<Row>(
    change: Omit<UserChange, 'mails'>,
    run: (columns: Partial<UserRow>) => Promise<Row | undefined>,
  ): Promise<Row | undefined>
  /** `update`, and what is done besides in the same transaction where it has changed the user. */
  update(
    write: Write,
    change: UserChange,
    besides: (transaction: Kysely<Tables>) => Promise<void>,
  ): Promise<StoredUser | null>
}

export interface UserChange {
  id: string
  changes: UserChanges
  expectedVersion: number
  mails: readonly PendingMail[]
}

const origins = new WeakMap<UserStore, Origin>()

export function setOrigin(store: UserStore, origin: Origin): void {
  origins.set(store, origin)
}

/** `undefined` where the user store is none of ours, or on another database. */
export function originOnDatabase(store: UserStore, db: Database): Origin | undefined {
  const origin = origins.get(store)
  return origin?.db === db ? origin : undefined
}
