import { changeUser } from '../adapters/change-user.js'
import type { Deps } from '../deps.js'
import { refusal } from '../errors.js'
import { holdsPassword, noPassword, type User } from '../user.js'
import { newPasswordChanges } from '../users/change.js'

/**
 * Takes the password of whoever is logged in away, unless it is the last way in. Every session of the user is dead after
 * it, and every reset link, as after a new password; the caller renews its own.
 * @throws AccountsError ACCOUNTS_NOT_FOUND where there is none, ACCOUNTS_CONFLICT where it is the last way in,
 * ACCOUNTS_THROTTLED, ACCOUNTS_LOGIN_REQUIRED
 */
export async function removePassword(
  { users, throttle, postOffice, hasWayIn }: Pick<Deps, 'users' | 'throttle' | 'postOffice' | 'hasWayIn'>,
  user: User,
): Promise<void> {
  if (!holdsPassword(user)) throw refusal('ACCOUNTS_NOT_FOUND')
  await throttle.spend('changePassword', user.id)
  const found = await users.findById(user.id)
  const changed =
    found &&
    (await changeUser(
      users,
      found,
      (current) => {
        if (current.sessionEpoch !== user.sessionEpoch) return null
        const changes = newPasswordChanges(current, noPassword)
        if (!hasWayIn({ ...current, passwordHash: noPassword })) throw refusal('ACCOUNTS_CONFLICT')
        return changes
      },
      (later) => postOffice.about('password-removed', later),
    ))
  if (changed === null) throw refusal('ACCOUNTS_LOGIN_REQUIRED')
}
