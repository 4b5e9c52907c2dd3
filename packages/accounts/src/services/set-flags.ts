import type { Deps } from '../deps.js'
import type { User } from '../user.js'
import { changeUser, flagChanges, type UserFlags } from '../user-changes.js'
import { findUser } from '../user-lookup.js'

/** Sets flags of a user; one who is no longer active is logged out at once. `null` where there is no such user. */
export async function setFlags(
  deps: Pick<Deps, 'users' | 'removeSessions'>,
  userId: string,
  flags: UserFlags,
): Promise<User | null> {
  const user = await findUser(deps.users, userId)
  const changed = user && (await changeUser(deps.users, user, (current) => flagChanges(current, flags)))
  if (changed !== null && !changed.isActive) await deps.removeSessions(userId)
  return changed
}
