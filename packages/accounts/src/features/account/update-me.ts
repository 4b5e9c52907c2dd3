import type { Deps } from '../../deps.js'
import { AccountsError } from '../../errors.js'
import type { User } from '../../user.js'
import { orUsernameTaken } from '../../users/ownership/choose-username.js'
import { type Profile, profileChanges } from '../../users/profile.js'

/**
 * Changes a user's own profile; missing values stay unchanged.
 * @throws AccountsError ACCOUNTS_INVALID_INPUT, ACCOUNTS_THROTTLED, ACCOUNTS_USERNAME_TAKEN,
 * ACCOUNTS_CONFLICT; ACCOUNTS_LOGIN_REQUIRED if the user no longer exists
 */
export async function updateMe(
  { users, throttle, options }: Pick<Deps, 'users' | 'throttle' | 'options'>,
  user: User,
  profile: Profile,
): Promise<User> {
  const changesFor = profileChanges(options, user, profile)
  await throttle.spend('changeProfile', user.id)
  const changed = await users.change(user, changesFor).catch(orUsernameTaken)
  if (changed === null) throw new AccountsError('ACCOUNTS_LOGIN_REQUIRED')
  return changed
}
