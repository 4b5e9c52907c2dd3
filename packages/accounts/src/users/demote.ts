import { changeUser } from '../adapters/change-user.js'
import type { Deps } from '../deps.js'
import { AccountsError } from '../errors.js'
import type { PendingMail } from '../seams/outbox.js'
import { type User, type UserChanges, withChanges } from '../user.js'

/**
 * Takes a member of staff's rights away, by another one. Of two who do it to each other at the same moment, one at most
 * succeeds. Each first moves their own version, and then asks for the other's as it was read before that: whoever comes
 * second finds a version that has moved.
 * @param target as read before this call
 * @returns the changed user; `null` where the target was changed, or deleted, at the same moment
 * @throws AccountsError ACCOUNTS_FORBIDDEN where the actor is not staff any more
 */
export async function demoteUser(
  users: Deps['users'],
  actor: User,
  target: User,
  changesFor: (current: User) => UserChanges | null,
  mailsFor: (changed: User, before: User) => readonly PendingMail[] = () => [],
): Promise<User | null> {
  const stillStaff = await changeUser(users, actor, (current) =>
    current.isStaff && current.isActive ? { isStaff: true } : null,
  )
  if (stillStaff === null) throw new AccountsError('ACCOUNTS_FORBIDDEN')
  const changes = changesFor(target)
  if (changes === null) return null
  return users.update(target.id, changes, target.version, mailsFor(withChanges(target, changes), target))
}
