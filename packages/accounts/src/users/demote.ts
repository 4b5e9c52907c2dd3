import type { Deps } from '../deps.js'
import { AccountsError } from '../errors.js'
import { exceeds } from '../options/privileges.js'
import type { PendingMail } from '../seams/outbox.js'
import { type StoredUser, type User, type UserChanges, withChanges } from '../user.js'

/**
 * Removes rights of another user. If two demote each other at the same moment, at most one succeeds: each first bumps
 * their own version, then updates the other at the version read before, so the second finds it changed.
 * @param target as read before this call
 * @returns the changed user; `null` if the target was changed or deleted at the same moment
 * @throws AccountsError ACCOUNTS_FORBIDDEN if the actor has lost rights since the request began
 */
export async function demoteUser(
  { users, options }: Pick<Deps, 'users' | 'options'>,
  actor: User,
  target: StoredUser,
  changesFor: (current: StoredUser) => UserChanges | null,
  mailsFor: (changed: User, before: User) => readonly PendingMail[] = () => [],
): Promise<StoredUser | null> {
  const stillMay = await users.change(actor, (current) =>
    current.isActive && !exceeds(actor, current, options) ? { isActive: true } : null,
  )
  if (stillMay === null) throw new AccountsError('ACCOUNTS_FORBIDDEN')
  const changes = changesFor(target)
  if (changes === null) return null
  return users.update(target, changes, { messages: mailsFor(withChanges(target, changes), target) })
}
