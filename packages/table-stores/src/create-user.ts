import type { NewUser } from 'fastify-accounts'
import type { AlongsideChanges } from './alongside.js'
import type { Write } from './calls.js'
import type { UserRow } from './rows.js'
import { toUser } from './user-row.js'
import type { UserTable } from './user-table.js'
import type { UserWrite, UserWrites } from './user-writes.js'

/**
 * Stores a user with what the app adds to them.
 *
 * With `alongside`, a sign-up with a taken address stores an unclaimed user, and what the app does for the person it was
 * to be is undone, in a transaction of its own. One with a free address then makes such a transaction as well: the time
 * must not tell which it was.
 */
export function userCreation<Tx>(
  table: UserTable<Tx>,
  writes: UserWrites<Tx>,
  { created }: AlongsideChanges<Tx>,
) {
  return async (
    write: Write<Tx>,
    deadline: number,
    user: UserWrite<UserRow>,
    wanted: NewUser | undefined,
  ): Promise<void> => {
    const stored = toUser(user.row)
    if (created && wanted)
      await write<void>(async (tx, undo) => {
        await writes.insert(tx, { ...user, messages: [] })
        await created(tx, { ...stored, ...wanted }, deadline)
        undo()
      })
    await write(async (tx) => {
      await writes.insert(tx, user)
      await created?.(tx, stored, deadline)
    })
    if (created && stored.kind === 'person') {
      const spent = write<void>(async (tx, undo) => {
        await table.compareAndSwap(tx, { id: stored.id, version: 0 }, { version: 0 })
        undo()
      })
      // The user exists, whatever happens.
      await spent.catch(() => undefined)
    }
  }
}
