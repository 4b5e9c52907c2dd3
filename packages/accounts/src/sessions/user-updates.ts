import { changedMeanwhile } from '../errors.js'
import type { PendingMessage } from '../seams/outbox.js'
import type { UpdateWithSessions } from '../seams/session-store.js'
import type { UserStore, UserStoreCalls } from '../seams/user-store.js'
import { type StoredUser, type User, type UserChanges, withChanges } from '../user.js'
import type { SessionEffect } from './session-effect.js'
import type { SessionKeeper } from './session-keeper.js'

/** A user store as features use it. */
export type UserCalls = Omit<UserStoreCalls, 'update' | 'delete'> & UserUpdates & { delete: DeleteUser }

/**
 * Deletes a user.
 * @param user the record as it was read
 * @returns whether there was one
 */
export type DeleteUser = (
  user: Pick<User, 'id' | 'kind' | 'version'>,
  along?: {
    messages?: readonly PendingMessage[] | undefined
    /** The user that they are handed over to. */
    successor?: StoredUser | undefined
    /** Whether they are deleted only as they were read, by compare-and-swap. Default `false`. */
    onlyAsRead?: boolean | undefined
    /** What deletes them, if rows of a feature go at once with them. Default: the user store's `delete`. */
    deleteStored?: DeleteStored | undefined
  },
) => Promise<boolean>

/** Deletes a user in the place of the user store's `delete`, along with other rows. */
export type DeleteStored = UserStore['delete']

/**
 * How a user is changed, and with them their sessions, as the effect of the change says: in one write if one database has
 * both. A new `sessionEpoch` ends all of them; that is the default effect.
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
    along?: { messages?: readonly PendingMessage[] | undefined; sessions?: SessionEffect | undefined },
  ): Promise<StoredUser | null>
  /**
   * Compare-and-swap with the newest record until it succeeds.
   * @param changesFor the changes for a record; `{}` if it needs none, `null` gives up
   * @returns the changed user, or `null` if `changesFor` gave up or the user no longer exists
   * @throws AccountsError ACCOUNTS_CONFLICT if every attempt ran into a conflict
   */
  change<Known extends User>(
    user: Known,
    changesFor: (current: Known) => UserChanges | null,
    along?: AlongChange<Known>,
  ): Promise<Known | null>
}

/** What goes along with a change. */
export interface AlongChange<Known> {
  /** The emails and events about it, stored if and only if it is. */
  messages?: (changed: Known, before: Known) => readonly PendingMessage[]
  sessions?: (changed: Known, before: Known) => SessionEffect
}

/** A user store that can write a user and their sessions at once, if one database has both. */
export type WritableUsers = Omit<UserStoreCalls, 'delete'> & {
  updateWithSessions?: UpdateWithSessions | undefined
  /** @param deleteStored in the place of the store's own `delete` */
  delete(
    id: string,
    messages?: readonly PendingMessage[],
    successor?: StoredUser,
    expectedVersion?: number,
    deleteStored?: DeleteStored,
  ): Promise<boolean>
}

/** How often a change is attempted while others change the same user. */
const maxAttempts = 10

/** The `change` that writes by this `update`. */
export function changeBy({
  findById,
  update,
}: Pick<UserStore, 'findById'> & Pick<UserUpdates, 'update'>): UserUpdates['change'] {
  return async (user, changesFor, { messages, sessions } = {}) => {
    // A store always returns whole records.
    const whole = (record: StoredUser | null) => record as typeof user | null
    let current: typeof user | null = user
    for (let attempt = 0; attempt < maxAttempts && current !== null; attempt += 1) {
      const changes = changesFor(current)
      if (changes === null) return null
      if (Object.keys(changes).length === 0) return current
      const next = withChanges(current, changes)
      const along = { messages: messages?.(next, current), sessions: sessions?.(next, current) }
      const changed = whole(await update(current, changes, along))
      if (changed !== null) return changed
      current = whole(await findById(current.id))
    }
    if (current === null) return null
    throw changedMeanwhile()
  }
}

/** The only place that decides whether a change of a user and their sessions is one write or several. */
export function createUserUpdates(
  users: Pick<WritableUsers, 'findById' | 'update' | 'updateWithSessions' | 'delete'>,
  keeper: Pick<SessionKeeper, 'plan' | 'carryOut'>,
): UserUpdates & { delete: DeleteUser } {
  const { updateWithSessions } = users

  const update: UserUpdates['update'] = async (user, changes, { messages = [], sessions } = {}) => {
    const { id, version } = user
    const effect =
      sessions ?? (changes.sessionEpoch === undefined ? null : ({ own: 'end', others: 'end' } as const))
    if (effect === null) return users.update(id, changes, version, messages)
    const plan = await keeper.plan(effect, withChanges(user, changes))
    if (updateWithSessions === undefined || plan.rows === undefined) {
      const changed = await users.update(id, changes, version, messages)
      if (changed !== null) await keeper.carryOut(plan, changed)
      return changed
    }
    const written = await updateWithSessions(id, changes, version, messages, plan.rows)
    if (written !== null) await keeper.carryOut(plan, written.user, written)
    return written === null ? null : written.user
  }

  return {
    update,
    change: changeBy({ findById: users.findById, update }),
    delete: ({ id, version }, { messages, successor, onlyAsRead, deleteStored } = {}) =>
      users.delete(id, messages, successor, onlyAsRead ? version : undefined, deleteStored),
  }
}
