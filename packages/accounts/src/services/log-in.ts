import type { Deps } from '../deps.js'
import { AccountsError, about } from '../errors.js'
import { usernameKey } from '../identifiers/username.js'
import type { Proof } from '../logins/finish-login.js'
import { tryPassword } from '../passwords/try-password.js'
import { accountKey, loginLimits } from '../throttle/throttle.js'
import type { User } from '../user.js'

/**
 * Proves by a username and a password whose account it is.
 * @param deviceOf the name of the caller's device, if it has logged in to this account before
 * @throws AccountsError ACCOUNTS_THROTTLED, ACCOUNTS_INVALID_CREDENTIALS
 */
export async function logIn(
  deps: Pick<Deps, 'users' | 'passwords' | 'throttle'>,
  { username, password }: { username: string; password: string },
  deviceOf: (user: User) => string | null,
): Promise<Proof> {
  const { users, passwords } = deps
  const key = usernameKey(username)
  const user = await users.findByUsername(key)
  const device = user && deviceOf(user)
  // A device that is known tries on its own account, so that whoever guesses elsewhere locks nobody out.
  const account = user === null ? `name:${key}` : accountKey(user)
  const triedAs = device === null ? account : `device:${device}`
  return about(user, async () => {
    // Known and unknown names alike.
    const right = await tryPassword(
      deps,
      { password, hash: user?.passwordHash, caller: device === null ? 'stranger' : 'known' },
      { budgets: loginLimits, key: triedAs },
    )
    if (user === null || !right) throw new AccountsError('ACCOUNTS_INVALID_CREDENTIALS')
    return {
      user,
      methods: ['pwd'],
      changes: async () =>
        passwords.needsRehash(user.passwordHash)
          ? { passwordHash: await passwords.hash(password, 'known') }
          : {},
    }
  })
}
