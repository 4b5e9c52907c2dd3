import type { UpdateWithSessions } from '../seams/session-store.js'
import type { UserStore } from '../seams/user-store.js'
import type { SessionKeeper } from './session-keeper.js'

/** How services change a user. */
export interface UserUpdates {
  /**
   * As the seam says. A new `sessionEpoch` ends every session of the user, so their rows go too: with the change where one
   * database has both, else after it.
   */
  update: UserStore['update']
  /** The same, but leaves the rows: for callers that start a session next, which a late deletion would delete too. */
  updateOnly: UserStore['update']
  /** A change of a user and their sessions in one write; `undefined` where the two are kept apart. */
  updateWithSessions?: UpdateWithSessions | undefined
}

export function endingSessions<Users extends Omit<UserUpdates, 'updateOnly'>>(
  users: Users,
  removeAll: SessionKeeper['removeAll'],
): Users & UserUpdates {
  const { update, updateWithSessions } = users
  return {
    ...users,
    updateOnly: update,
    async update(id, changes, expectedVersion, mails = []) {
      if (changes.sessionEpoch === undefined) return update(id, changes, expectedVersion, mails)
      if (updateWithSessions !== undefined) {
        const written = await updateWithSessions(id, changes, expectedVersion, mails, { deleteOthers: true })
        return written?.user ?? null
      }
      const changed = await update(id, changes, expectedVersion, mails)
      if (changed !== null) await removeAll(id)
      return changed
    },
  }
}
