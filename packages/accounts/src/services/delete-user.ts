import type { Deps } from '../deps.js'
import { AccountsError } from '../errors.js'
import { type AccountUser, accountUser, type User } from '../user.js'
import { findUser } from '../user-lookup.js'

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
  const { users, options, removeSessions } = deps
  const target = await findUser(users, id)
  if (target === null) throw new AccountsError('ACCOUNTS_NOT_FOUND')
  found(target)
  if (!(await options.authorize.deleteUser(actor, accountUser(target)))) {
    const visible = await options.authorize.showUser(actor, accountUser(target))
    throw new AccountsError(visible ? 'ACCOUNTS_FORBIDDEN' : 'ACCOUNTS_NOT_FOUND')
  }
  if (!(await users.delete(id))) throw new AccountsError('ACCOUNTS_NOT_FOUND')
  await removeSessions(id)
}
