import type { Deps } from '../../deps.js'
import { invalidInput } from '../../errors.js'
import { findUserById } from '../../identifiers/user-id.js'
import type { User } from '../../user.js'
import { type UserFlags, vouchedChanges } from '../../users/change.js'
import { argumentFaults } from '../../validation.js'

/**
 * Sets flags of a user for the host's own code, without calling `authorize`; a user who becomes inactive is
 * logged out at once. `null` if there is no such user.
 * @throws AccountsError ACCOUNTS_INVALID_INPUT, ACCOUNTS_CONFLICT
 */
export async function updateUserByHost(
  deps: Pick<Deps, 'users'>,
  userId: string,
  flags: UserFlags,
): Promise<User | null> {
  const faults = argumentFaults(flags, { flags: ['isStaff', 'isActive', 'isVerified'] })
  if (faults.length > 0) throw invalidInput(...faults)
  const user = await findUserById(deps.users, userId)
  return user && deps.users.change(user, (current) => vouchedChanges(current, flags))
}
