import type { Deps } from '../deps.js'
import { AccountsError } from '../errors.js'
import { findUserById } from '../identifiers/user-id.js'
import { type AccountUser, accountUser, type User } from '../user.js'

/**
 * A user whom the actor may see.
 * @param found told who was asked for, before anything is refused
 * @throws AccountsError ACCOUNTS_NOT_FOUND, also where the actor may not know that there is one
 */
export async function showUser(
  deps: Pick<Deps, 'users' | 'options'>,
  actor: AccountUser,
  id: string,
  found: (user: User) => void,
): Promise<User> {
  const target = await findUserById(deps.users, id)
  if (target !== null) found(target)
  const isVisible = target !== null && (await deps.options.authorize.showUser(actor, accountUser(target)))
  if (!isVisible) throw new AccountsError('ACCOUNTS_NOT_FOUND')
  return target
}
