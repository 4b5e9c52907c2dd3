import { AlongsideError, alongsideCalls, type StoredUser, type UserChanges } from 'fastify-accounts'
import { LostRace } from './calls.js'
import { isMomentary } from './driver-errors.js'
import { isAny } from './row-count.js'
import type { UserTable } from './user-table.js'
import type { UserWrites } from './user-writes.js'

/** The app's own changes within a transaction of the store; each absent if the app has none. */
export interface AlongsideChanges<Tx> {
  /** After the user was inserted. */
  created: ((tx: Tx, user: StoredUser, deadline: number) => Promise<void>) | undefined
  /** Before the user is deleted. Returns whether there is one, whose row is then locked. */
  deleted:
    | ((tx: Tx, id: string, successor: StoredUser | undefined, deadline: number) => Promise<boolean>)
    | undefined
  /** What runs after the update, with the user as read before it; `undefined` if the changes prove no address. */
  verified:
    | ((
        changes: UserChanges,
        deadline: number,
      ) => ((tx: Tx, before: StoredUser, after: StoredUser) => Promise<void>) | undefined)
    | undefined
}

/** @throws TypeError of one line that names the option */
export function createAlongside<Tx>(table: UserTable<Tx>, { find }: UserWrites<Tx>): AlongsideChanges<Tx> {
  const isRetryable = (error: unknown) => isMomentary(table, error)
  const { created, deleted, verified } = alongsideCalls(table.alongside, isRetryable)

  /**
   * The user as the transaction sees them after the app's changes. If the app has caught an error of the database, that
   * may have rolled back, and a commit would pass for a success.
   */
  async function after(
    name: 'created' | 'verified' | 'deleted',
    tx: Tx,
    id: string,
    isKept: (user: StoredUser | null) => boolean,
  ): Promise<void> {
    let cause: unknown
    try {
      if (isKept(await find('id', id, tx))) return
    } catch (error) {
      if (isRetryable(error)) throw error
      cause = error
    }
    const text = `alongside.${name} has ended the transaction, or caught an error of the database: let such errors pass`
    throw new AlongsideError(name, new Error(text, { cause }))
  }

  return {
    created:
      created &&
      (async (tx, user, deadline) => {
        if (user.kind !== 'person') return
        await created(tx, user, deadline)
        const name = table.alongside?.created ? 'created' : 'verified'
        await after(name, tx, user.id, (kept) => kept !== null)
      }),

    deleted:
      deleted &&
      (async (tx, id, successor, deadline) => {
        const user = await find('id', id, tx)
        if (user === null) return false
        const { version } = user
        // Locks the row, so of two deletions one runs the app's function.
        if (!isAny(await table.compareAndSwap(tx, { id, version }, { version: version + 1 })))
          throw new LostRace('the user was changed')
        await deleted(tx, user, successor, deadline)
        // The app may have deleted the row itself.
        await after('deleted', tx, id, (kept) => kept === null || kept.version === version + 1)
        return true
      }),

    verified:
      verified &&
      ((changes, deadline) =>
        verified.isPossible(changes)
          ? async (tx, earlier, user) => {
              // Read before another transaction changed it.
              if (earlier.version !== user.version - 1) throw new LostRace('the user was changed')
              if (!verified.isDue(earlier, user)) return
              await verified.run(tx, user, deadline)
              await after('verified', tx, user.id, (kept) => kept?.version === user.version)
            }
          : undefined),
  }
}
