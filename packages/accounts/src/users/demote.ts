import type { Deps } from '../deps.js'
import { AccountsError } from '../errors.js'
import type { PendingMail } from '../seams/outbox.js'
import { type StoredUser, type User, type UserChanges, withChanges } from '../user.js'

/**
 * Removes the rights of another staff member. If two demote each other at the same moment, at most one
 * succeeds: each first bumps their own version, then updates the other at the version read before, so the
 * second finds it changed.
 * @param target as read before this call
 * @returns the changed user; `null` if the target was changed or deleted at the same moment
 * @throws AccountsError ACCOUNTS_FORBIDDEN if the actor is no longer staff
 */
export async function demoteUser(
  users: Deps['users'],
  actor: User,
  target: StoredUser,
  changesFor: (current: StoredUser) => UserChanges | null,
  mailsFor: (changed: User, before: User) => readonly PendingMail[] = () => [],
): Promise<StoredUser | null> {
  const stillStaff = await users.change(actor, (current) =>
    current.isStaff && current.isActive ? { isStaff: true } : null,
  )
  if (stillStaff === null) throw new AccountsError('ACCOUNTS_FORBIDDEN')
  const changes = changesFor(target)
  if (changes === null) return null
  return users.update(target, changes, { messages: mailsFor(withChanges(target, changes), target) })
}
