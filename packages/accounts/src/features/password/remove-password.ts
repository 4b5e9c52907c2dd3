import type { Deps } from '../../deps.js'
import { AccountsError } from '../../errors.js'
import type { ContinueEffect } from '../../sessions/session-effect.js'
import { holdsPassword, noPassword, type StoredUser, type User } from '../../user.js'
import { ownRecord } from '../../users/own-record.js'
import { setPassword } from '../../users/ownership/verbs.js'

/**
 * Removes the logged-in user's password, unless it is the last way in. As after a new password, all the
 * user's sessions and reset links become invalid, but for the caller's own session.
 * @throws AccountsError ACCOUNTS_NOT_FOUND if there is none, ACCOUNTS_CONFLICT if it is the last way in,
 * ACCOUNTS_LOGIN_REQUIRED
 */
export async function removePassword(
  { users, postOffice, hasWayIn }: Pick<Deps, 'users' | 'postOffice' | 'hasWayIn'>,
  user: User,
  sessions: ContinueEffect,
): Promise<void> {
  if (!holdsPassword(user)) throw new AccountsError('ACCOUNTS_NOT_FOUND', { reason: 'no_password' })
  const changesFor = (current: StoredUser) => {
    if (current.sessionEpoch !== user.sessionEpoch) return null
    if (!hasWayIn({ ...current, passwordHash: noPassword }))
      throw new AccountsError('ACCOUNTS_CONFLICT', { reason: 'last_way_in' })
    return setPassword(current, { passwordHash: noPassword })
  }
  const changed = await users.change(await ownRecord({ users }, user), changesFor, {
    messages: (later) => postOffice.about('password-removed', later),
    sessions: () => sessions,
  })
  if (changed === null) throw new AccountsError('ACCOUNTS_LOGIN_REQUIRED')
}
