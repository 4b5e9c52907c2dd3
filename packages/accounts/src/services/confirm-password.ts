import type { Deps } from '../deps.js'
import { AccountsError, fieldError, invalidInput } from '../errors.js'
import { tryOwnPassword } from '../passwords/try-password.js'
import type { User } from '../user.js'

/**
 * Checks the password of somebody who is logged in. It is the same guess as at a change of password, so both draw on
 * one budget.
 * @returns the user, with the epoch that a session must begin with
 * @throws AccountsError ACCOUNTS_INVALID_INPUT, ACCOUNTS_THROTTLED, ACCOUNTS_LOGIN_REQUIRED where the sessions of the
 * user ended meanwhile
 */
export async function confirmPassword(
  deps: Pick<Deps, 'users' | 'passwords' | 'throttle'>,
  user: User,
  password: string,
): Promise<User> {
  if (!(await tryOwnPassword(deps, user, password))) throw invalidInput(fieldError('password', 'incorrect'))
  // While the password was checked it may have been changed: then it proves nothing any more.
  const current = await deps.users.findById(user.id)
  if (current === null || !current.isActive || current.sessionEpoch !== user.sessionEpoch) {
    throw new AccountsError('ACCOUNTS_LOGIN_REQUIRED')
  }
  return current
}
