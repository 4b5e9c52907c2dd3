import type { Deps } from '../../deps.js'
import { endNote } from '../../notes.js'
import type { User } from '../../user.js'
import { ownRecord } from '../../users/own-record.js'

/**
 * Ends the link to a new address; if there is none, nothing changes.
 * @throws AccountsError ACCOUNTS_LOGIN_REQUIRED, ACCOUNTS_CONFLICT
 */
export async function cancelEmailChange({ users }: Pick<Deps, 'users'>, user: User): Promise<void> {
  await users.change(await ownRecord({ users }, user), (current) => endNote(current, 'pendingAddress'))
}
