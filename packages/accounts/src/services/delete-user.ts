import type { Deps } from '../deps.js'
import { AccountsError } from '../errors.js'
import type { AccountUser, User } from '../user.js'
import { permittedTarget } from '../users/change.js'

/**
 * Deletes a user; the sessions die at once.
 * @param found told who was asked for, before anything is refused
 * @throws AccountsError ACCOUNTS_NOT_FOUND, ACCOUNTS_FORBIDDEN
 */
export async function deleteUser(
  deps: Pick<Deps, 'users' | 'options' | 'removeSessions'>,
  actor: AccountUser,
  id: string,
  found: (user: User) => void,
): Promise<void> {
  await permittedTarget(deps, actor, { id, deed: 'deleteUser' }, found)
  if (!(await deps.users.delete(id))) throw new AccountsError('ACCOUNTS_NOT_FOUND')
  await deps.removeSessions(id)
}
