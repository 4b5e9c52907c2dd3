import type { Deps } from '../deps.js'
import type { User, UserChanges } from '../user.js'
import { changeUser } from '../user-changes.js'
import { findUser } from '../user-lookup.js'

/** What the host's own code decides about a user. */
export interface UserFlags {
  isStaff?: boolean | undefined
  isActive?: boolean | undefined
  isVerified?: boolean | undefined
}

/** Sets flags of a user; one who is no longer active is logged out at once. `null` where there is no such user. */
export async function setFlags(
  deps: Pick<Deps, 'users' | 'removeSessions'>,
  userId: string,
  { isStaff, isActive, isVerified }: UserFlags,
): Promise<User | null> {
  const user = await findUser(deps.users, userId)
  const changesFor = (current: User): UserChanges => ({
    isStaff,
    isActive,
    isVerified,
    // Without it a session that was not used meanwhile, and whose row stayed, would live again with the user.
    ...(isActive === false && { sessionEpoch: current.sessionEpoch + 1 }),
  })
  const changed = user && (await changeUser(deps.users, user, changesFor))
  if (changed !== null && !changed.isActive) await deps.removeSessions(userId)
  return changed
}
