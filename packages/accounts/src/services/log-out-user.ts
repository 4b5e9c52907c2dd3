import type { Deps } from '../deps.js'
import { AccountsError } from '../errors.js'
import type { AccountUser, User } from '../user.js'
import { changeUser, permittedTarget } from '../users/change.js'

/**
 * Ends every session of a user, for whoever may manage them.
 * @param found told who was asked for, before anything is refused
 * @throws AccountsError ACCOUNTS_NOT_FOUND, ACCOUNTS_FORBIDDEN, ACCOUNTS_CONFLICT
 */
export async function logOutUser(
  deps: Pick<Deps, 'users' | 'options' | 'removeSessions'>,
  actor: AccountUser,
  id: string,
  found: (user: User) => void,
): Promise<void> {
  const target = await permittedTarget(deps, actor, { id, deed: 'manageUser' }, found)
  const changed = await changeUser(deps.users, target, (current) => ({
    sessionEpoch: current.sessionEpoch + 1,
  }))
  if (changed === null) throw new AccountsError('ACCOUNTS_NOT_FOUND')
  await deps.removeSessions(id)
}
