import { changeUser } from '../adapters/change-user.js'
import type { UserStore } from '../index.js'
import type { StoredUser, User, UserChanges } from '../user.js'

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
  const { findById, update } = users
  const store = {
    findById: findById.bind(users),
    update: ({ id, version }: User, changes: UserChanges) => update.call(users, id, changes, version),
  }
  return changeUser(store, user, changesFor)
}
