import type { Deps } from '../deps.js'
import { AccountsError } from '../errors.js'
import { accountUser, type User } from '../user.js'
import { flagChanges, withPermission } from './change.js'
import { demoteUser } from './demote.js'

/**
 * Deletes a user and ends their sessions at once. Staff can't delete their own account, and lose their rights
 * before another member deletes them, so one member always remains, even if two delete each other at the same
 * moment.
 * @throws AccountsError ACCOUNTS_NOT_FOUND, ACCOUNTS_FORBIDDEN, ACCOUNTS_CONFLICT
 */
export async function deleteUser(
  deps: Pick<Deps, 'users' | 'options' | 'removeSessions'>,
  actor: User,
  id: string,
): Promise<void> {
  const { users, removeSessions } = deps
  await withPermission(deps, accountUser(actor), { id, actions: ['deleteUser'] }, async (target) => {
    if (target.isStaff) {
      if (target.id === actor.id)
        throw new AccountsError('ACCOUNTS_CONFLICT', { text: 'staff_deletes_itself' })
      if (
        actor.isStaff &&
        (await demoteUser(users, actor, target, (current) => flagChanges(current, { isStaff: false }))) ===
          null
      ) {
        const isThere = (await users.findById(id)) !== null
        throw new AccountsError(isThere ? 'ACCOUNTS_CONFLICT' : 'ACCOUNTS_NOT_FOUND')
      }
    }
    if (!(await users.delete(id))) throw new AccountsError('ACCOUNTS_NOT_FOUND')
    await removeSessions(id)
  })
}
