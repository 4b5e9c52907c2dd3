import type { Deps } from '../../deps.js'
import { fieldError, invalidInput } from '../../errors.js'
import { tryOwnPassword } from '../../passwords/try-password.js'
import type { User } from '../../user.js'
import { ownRecord } from '../../users/own-record.js'

/**
 * Checks the password of a logged-in user. It shares a budget with password changes, because the guess is the
 * same.
 * @returns the user, with the epoch that a session must begin with
 * @throws AccountsError ACCOUNTS_INVALID_INPUT, ACCOUNTS_THROTTLED, ACCOUNTS_LOGIN_REQUIRED if the user's
 * sessions ended meanwhile
 */
export async function confirmPassword(
  deps: Pick<Deps, 'users' | 'passwords' | 'throttle'>,
  user: User,
  password: string,
): Promise<User> {
  if (!(await tryOwnPassword(deps, user, password))) throw invalidInput(fieldError('password', 'incorrect'))
  // The password may have changed during the check; then it proves nothing anymore.
  return ownRecord(deps, user)
}
