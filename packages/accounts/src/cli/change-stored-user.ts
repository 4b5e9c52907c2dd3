import type { UserStore } from '../index.js'
import { changeBy } from '../sessions/user-updates.js'
import type { StoredUser, UserChanges } from '../user.js'

/**
 * Changes a user straight in the store, by compare-and-swap, so what the service writes meanwhile stays.
 * @param changesFor the changes for a record; `{}` if it needs none
 * @returns `null` if there is no such user anymore
 */
export function changeStoredUser(
  users: UserStore,
  user: StoredUser,
  changesFor: (current: StoredUser) => UserChanges,
): Promise<StoredUser | null> {
  const change = changeBy({
    findById: (id) => users.findById(id),
    update: ({ id, version }, changes) => users.update(id, changes, version),
  })
  return change(user, changesFor)
}
