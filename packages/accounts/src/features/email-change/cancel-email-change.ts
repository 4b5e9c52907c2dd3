import type { Deps } from '../../deps.js'
import { withNoteOf } from '../../notes.js'
import type { User } from '../../user.js'
import { ownRecord } from '../../users/own-record.js'

/**
 * Ends the link to a new address; if there is none, nothing changes.
 * @throws AccountsError ACCOUNTS_LOGIN_REQUIRED, ACCOUNTS_CONFLICT
 */
export async function cancelEmailChange({ users }: Pick<Deps, 'users'>, user: User): Promise<void> {
  await users.change(await ownRecord({ users }, user), (current) =>
    current.notes.pendingAddress === undefined
      ? {}
      : { notes: withNoteOf(current, 'pendingAddress', undefined) },
  )
}
