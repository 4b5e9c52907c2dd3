import type { Deps } from '../deps.js'
import { AccountsError } from '../errors.js'
import { type AccountUser, accountUser, type User } from '../user.js'
import { findUser } from '../user-lookup.js'

/**
 * A user whom the actor may see.
 * @throws AccountsError ACCOUNTS_NOT_FOUND, also where the actor may not know that there is one
 */
export async function showUser(
  deps: Pick<Deps, 'users' | 'options'>,
  actor: AccountUser,
  id: string,
): Promise<User> {
  const target = await findUser(deps.users, id)
  const found = target !== null && (await deps.options.authorize.showUser(actor, accountUser(target)))
  if (!found) throw new AccountsError('ACCOUNTS_NOT_FOUND')
  return target
}
