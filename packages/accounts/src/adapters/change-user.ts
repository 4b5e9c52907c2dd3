import { AccountsError } from '../errors.js'
import type { PendingMail } from '../seams/outbox.js'
import type { UserStore } from '../seams/user-store.js'
import { type StoredUser, type User, type UserChanges, withChanges } from '../user.js'

/** How often a change is attempted while others change the same user. */
const maxAttempts = 10

/**
 * Changes a user by compare-and-swap, and retries with the newest record after a conflict.
 * @param changesFor the changes for a record; `{}` if it needs none, `null` gives up
 * @param mailsFor the emails about the change, stored if and only if it is
 * @returns the changed user, or `null` if `changesFor` gave up or the user no longer exists
 * @throws AccountsError ACCOUNTS_CONFLICT if every attempt ran into a conflict
 */
export async function changeUser<Known extends User>(
  users: Pick<UserStore, 'findById'> & {
    update(record: User, changes: UserChanges, mails: readonly PendingMail[]): Promise<StoredUser | null>
  },
  user: Known,
  changesFor: (current: Known) => UserChanges | null,
  mailsFor: (changed: Known, before: Known) => readonly PendingMail[] = () => [],
): Promise<Known | null> {
  // A store always returns whole records.
  const whole = (record: StoredUser | null) => record as Known | null
  let current: Known | null = user
  for (let attempt = 0; attempt < maxAttempts && current !== null; attempt += 1) {
    const changes = changesFor(current)
    if (changes === null) return null
    if (Object.keys(changes).length === 0) return current
    const mails = mailsFor(withChanges(current, changes), current)
    const changed = whole(await users.update(current, changes, mails))
    if (changed !== null) return changed
    current = whole(await users.findById(current.id))
  }
  if (current === null) return null
  throw new AccountsError('ACCOUNTS_CONFLICT', { reason: 'changed_meanwhile' })
}
