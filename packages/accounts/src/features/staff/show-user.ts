import type { Deps } from '../../deps.js'
import { about, refusal } from '../../errors.js'
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
  if (target === null) throw refusal('ACCOUNTS_NOT_FOUND')
  return about(target, async () => {
    if (!(await maySee(deps, actor, target))) throw refusal('ACCOUNTS_NOT_FOUND')
    return target
  })
}
