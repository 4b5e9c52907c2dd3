import type { UpdateWithSessions } from '../seams/session-store.js'
import type { UserStore } from '../seams/user-store.js'
import type { SessionKeeper } from './session-keeper.js'

/** How features change a user. */
export interface UserUpdates {
  /**
   * As in `UserStore`. A new `sessionEpoch` ends all of the user's sessions, so their rows go too: in the
   * same write if one database has both, otherwise after it.
   */
  update: UserStore['update']
  /** The same, but leaves the rows: for callers that start a session next, which a late deletion would also delete. */
  updateOnly: UserStore['update']
  /** Changes a user and their sessions in one write; `undefined` if the two are stored separately. */
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
