import type { Deps } from '../deps.js'
import { AccountsError } from '../errors.js'
import { accountUser, type User } from '../user.js'
import { changeUser, flagChanges, type UserFlags, withPermission } from '../users/change.js'
import { demoteUser } from '../users/demote.js'

/**
 * Disables, enables, promotes or demotes somebody else. Nobody does it to themself: so whoever acts is staff
 * afterwards, and there is always one left who can put things right.
 * @throws AccountsError ACCOUNTS_NOT_FOUND, ACCOUNTS_FORBIDDEN, ACCOUNTS_CONFLICT
 */
export async function updateUser(
  deps: Pick<Deps, 'users' | 'options' | 'removeSessions'>,
  actor: User,
  { id, flags }: { id: string; flags: Pick<UserFlags, 'isStaff' | 'isActive'> },
): Promise<User> {
  const { users, removeSessions } = deps
  return withPermission(deps, accountUser(actor), { id, action: 'manageUser' }, async (target) => {
    if (target.id === actor.id) throw new AccountsError('ACCOUNTS_FORBIDDEN')
    const demotes = target.isStaff && (flags.isStaff === false || flags.isActive === false)
    const changed =
      demotes && actor.isStaff
        ? await demoteUser(users, actor, target, flags)
        : await changeUser(users, target, (current) => flagChanges(current, flags))
    if (changed === null) throw new AccountsError('ACCOUNTS_CONFLICT')
    if (!changed.isActive) await removeSessions(id)
    return changed
  })
}
