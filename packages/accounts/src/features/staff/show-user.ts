import type { Deps } from '../../deps.js'
import { AccountsError, attributed } from '../../errors.js'
import { findUserById } from '../../identifiers/user-id.js'
import { accountUser, type User } from '../../user.js'
import { maySee } from '../../users/visible.js'

/**
 * A user whom the actor may see, and whether in detail.
 * @throws AccountsError ACCOUNTS_NOT_FOUND, also if the actor may not know that the user exists
 */
export async function showUser(
  deps: Pick<Deps, 'users' | 'options'>,
  who: User,
  id: string,
): Promise<{ user: User; isDetailed: boolean }> {
  const actor = accountUser(who)
  const user = await findUserById(deps.users, id)
  if (user === null) throw new AccountsError('ACCOUNTS_NOT_FOUND')
  await attributed(user, async () => {
    if (!(await maySee(deps, actor, user))) throw new AccountsError('ACCOUNTS_NOT_FOUND')
  })
  return { user, isDetailed: await deps.options.authorize.showDetails(actor, accountUser(user)) }
}
