import { changeUser } from '../adapters/change-user.js'
import type { PendingMail } from '../seams/outbox.js'
import type { UpdateWithSessions } from '../seams/session-store.js'
import type { UserStore } from '../seams/user-store.js'
import { type StoredUser, type User, type UserChanges, withChanges } from '../user.js'
import type { SessionChange } from './session-change.js'
import type { SessionKeeper } from './session-keeper.js'

/**
 * How a user is changed, and with them their sessions. A new `sessionEpoch` ends all of them, so their rows
 * are deleted with the change; the client's own session continues, or a new one begins, as `session` says. All of it is
 * one write if one database has users and sessions.
 */
export interface UserUpdates {
  /**
   * One compare-and-swap.
   * @param user the record that the changes are for
   * @returns `null` if somebody else has changed the user since
   * @throws DuplicateError
   */
  update(
    user: User,
    changes: UserChanges,
    along?: { messages?: readonly PendingMail[]; session?: SessionChange | undefined },
  ): Promise<StoredUser | null>
  /**
   * Compare-and-swap with the newest record until it succeeds.
   * @param changesFor the changes for a record; `{}` if it needs none, `null` gives up
   * @param along.messages the emails about the change, stored if and only if it is
   * @returns the changed user, or `null` if `changesFor` gave up or the user no longer exists
   * @throws AccountsError ACCOUNTS_CONFLICT if every attempt ran into a conflict
   */
  change<Known extends User>(
    user: Known,
    changesFor: (current: Known) => UserChanges | null,
    along?: {
      messages?: (changed: Known, before: Known) => readonly PendingMail[]
      session?: SessionChange | undefined
    },
  ): Promise<Known | null>
}

/** The `change` that writes by this `update`. */
export function changeBy({
  findById,
  update,
}: Pick<UserStore, 'findById'> & Pick<UserUpdates, 'update'>): UserUpdates['change'] {
  return (user, changesFor, { messages, session } = {}) =>
    changeUser(
      { findById, update: (record, changes, mails) => update(record, changes, { messages: mails, session }) },
      user,
      changesFor,
      messages,
    )
}

/** The only place that decides whether a change of a user and their sessions is one write or two. */
export function createUserUpdates(
  users: Pick<UserStore, 'findById' | 'update'> & { updateWithSessions?: UpdateWithSessions | undefined },
  { removeAll }: Pick<SessionKeeper, 'removeAll'>,
): UserUpdates {
  const { updateWithSessions } = users

  const update: UserUpdates['update'] = async (user, changes, { messages = [], session } = {}) => {
    const { id, version } = user
    const endsAll = changes.sessionEpoch !== undefined
    const own = session?.isDue(endsAll) ? session : undefined
    if (own === undefined && !endsAll) return users.update(id, changes, version, messages)

    if (updateWithSessions !== undefined && (own === undefined || own.make !== undefined)) {
      const next = await own?.make?.(withChanges(user, changes), endsAll)
      const written = await updateWithSessions(id, changes, version, messages, {
        create: next?.isInPlace ? undefined : next?.session,
        replaces: next?.replaces,
        change: next?.change,
        deleteOthers: endsAll,
      })
      if (written === null) return null
      const isKept = next?.isInPlace ? written.isChanged : written.isCreated
      own?.stored(next && isKept ? { ...next, count: written.count } : null, written.user, endsAll)
      return written.user
    }

    const changed = await users.update(id, changes, version, messages)
    if (changed === null) return null
    // Continuing a session deletes the others itself: a late deletion would also delete the new one.
    if (own === undefined) await removeAll(id)
    else await own.follow(changed, endsAll)
    return changed
  }

  return { update, change: changeBy({ findById: users.findById, update }) }
}
