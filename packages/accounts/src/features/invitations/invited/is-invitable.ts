import type { Deps } from '../../../deps.js'
import { isPrivileged } from '../../../options/privileges.js'
import type { StoredUser } from '../../../user.js'

/** Whether the account is free for the person who proves its address: nobody has proven it, or given rights to it. */
export function isInvitable(
  user: Pick<StoredUser, 'isActive' | 'isVerified' | 'factors' | 'isStaff' | 'roles'>,
  options: Pick<Deps['options'], 'roles'>,
): boolean {
  return user.isActive && !user.isVerified && user.factors.length === 0 && !isPrivileged(user, options)
}
