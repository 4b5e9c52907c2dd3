import type { PendingMessage, UserStore } from '../index.js'
import { changeBy } from '../sessions/user-updates.js'
import type { StoredUser, UserChanges } from '../user.js'

/**
 * Changes a user straight in the store, by compare-and-swap, so what the service writes meanwhile stays.
 * @param changesFor the changes for a record; `{}` if it needs none
 * @param messagesOf the events of the change, stored along with it
 * @returns `null` if there is no such user anymore
 */
export function changeStoredUser(
  users: UserStore,
  user: StoredUser,
  changesFor: (current: StoredUser) => UserChanges,
  messagesOf: (current: StoredUser, changes: UserChanges) => readonly PendingMessage[],
): Promise<StoredUser | null> {
  const change = changeBy({
    findById: (id) => users.findById(id),
    update: (current, changes) =>
      // A store returns whole records.
      users.update(current.id, changes, current.version, messagesOf(current as StoredUser, changes)),
  })
  return change(user, changesFor)
}
