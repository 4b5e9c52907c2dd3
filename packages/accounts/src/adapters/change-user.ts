import { AccountsError } from '../errors.js'
import type { PendingMail } from '../seams/outbox.js'
import type { UserStore } from '../seams/user-store.js'
import { type StoredUser, type User, type UserChanges, withChanges } from '../user.js'

/** So many others may change the same user in between. */
const maxAttempts = 10

/**
 * Changes a user by compare-and-swap, again with the newest record where somebody was faster.
 * @param changesFor the changes that a record calls for; `{}` where it is right as it is, `null` gives up
 * @param mailsFor the mails that tell of the change, and are kept if and only if it is
 * @returns the changed user, or `null` where `changesFor` gave up or the user is gone
 * @throws AccountsError ACCOUNTS_CONFLICT when others were faster every time
 */
export async function changeUser<Known extends User>(
  users: Pick<UserStore, 'findById' | 'update'>,
  user: Known,
  changesFor: (current: Known) => UserChanges | null,
  mailsFor: (changed: Known, before: Known) => readonly PendingMail[] = () => [],
): Promise<Known | null> {
  // What a store returns is a whole record, whatever was known of it before.
  const whole = (record: StoredUser | null) => record as Known | null
  let current: Known | null = user
  for (let attempt = 0; attempt < maxAttempts && current !== null; attempt += 1) {
    const changes = changesFor(current)
    if (changes === null) return null
    if (Object.keys(changes).length === 0) return current
    const mails = mailsFor(withChanges(current, changes), current)
    const changed = whole(await users.update(current.id, changes, current.version, mails))
    if (changed !== null) return changed
    current = whole(await users.findById(current.id))
  }
  if (current === null) return null
  throw new AccountsError('ACCOUNTS_CONFLICT')
}
