import type { Deps } from '../../deps.js'
import { AccountsError, attributed } from '../../errors.js'
import { findUserById } from '../../identifiers/user-id.js'
import type { AccountUser, User } from '../../user.js'
import { maySee } from '../../users/visible.js'

/**
 * A user whom the actor may see.
 * @throws AccountsError ACCOUNTS_NOT_FOUND, also if the actor may not know that the user exists
 */
export async function showUser(
  deps: Pick<Deps, 'users' | 'options'>,
  actor: AccountUser,
  id: string,
): Promise<User> {
  const target = await findUserById(deps.users, id)
  if (target === null) throw new AccountsError('ACCOUNTS_NOT_FOUND')
  return attributed(target, async () => {
    if (!(await maySee(deps, actor, target))) throw new AccountsError('ACCOUNTS_NOT_FOUND')
    return target
  })
}
