import type { PendingMessage, StoredUser, UserChanges, UserStore } from 'fastify-accounts'
import type { Kysely } from 'kysely'
import type { Database } from '../base/database.js'
import type { Tables } from '../base/schema.js'
import type { Names } from '../columns/names.js'
import type { OutboxRow } from '../columns/outbox-row.js'
import type { Write } from './calls.js'

/** What another store gets from our user store on the same database. */
interface Origin {
  db: Database
  names: Names
  /** `update`, plus further work in the same transaction if it changed the user. */
  update(
    write: Write,
    change: UserChange,
    besides: (transaction: Kysely<Tables>) => Promise<void>,
  ): Promise<StoredUser | null>
  /** `delete`, plus further work in the same transaction if it deleted the user. */
  delete(
    write: Write,
    deletion: UserDeletion,
    besides: (transaction: Kysely<Tables>) => Promise<void>,
  ): Promise<boolean>
  insertMessages(rows: readonly OutboxRow[], transaction: Kysely<Tables>): Promise<unknown>
}

export interface UserChange {
  id: string
  changes: UserChanges
  expectedVersion: number
  messages: readonly PendingMessage[]
  /** Of the call, in milliseconds of `performance.now()`. */
  deadline: number
}

export interface UserDeletion {
  id: string
  messages: readonly PendingMessage[]
  /** Who gets what is handed over. Default: nobody. */
  successor: StoredUser | undefined
  /** Default: any. */
  expectedVersion: number | undefined
  /** Of the call, in milliseconds of `performance.now()`. */
  deadline: number
}

const origins = new WeakMap<UserStore, Origin>()

export function setOrigin(store: UserStore, origin: Origin): void {
  origins.set(store, origin)
}

/** @throws TypeError of one line if the user store is not ours, or is on another database */
export function requireOrigin(userStore: UserStore, db: Database): Origin {
  const origin = origins.get(userStore)
  if (origin?.db !== db) throw new TypeError('userStore must be made by createKyselyUserStore on the same db')
  return origin
}
