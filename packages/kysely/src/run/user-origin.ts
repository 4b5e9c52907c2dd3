import type { PendingMessage, StoredUser, UserChanges, UserStore } from 'fastify-accounts'
import type { Kysely } from 'kysely'
import type { Database } from '../base/database.js'
import type { Tables } from '../base/schema.js'
import type { Names } from '../columns/names.js'
import type { Write } from './calls.js'

/** What a session store gets from our user store on the same database. */
interface Origin {
  db: Database
  names: Names
  /** `update`, plus further work in the same transaction if it changed the user. */
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
  messages: readonly PendingMessage[]
}

const origins = new WeakMap<UserStore, Origin>()

export function setOrigin(store: UserStore, origin: Origin): void {
  origins.set(store, origin)
}

/** `undefined` if the user store is not ours, or is on another database. */
export function originOnDatabase(store: UserStore, db: Database): Origin | undefined {
  const origin = origins.get(store)
  return origin?.db === db ? origin : undefined
}
