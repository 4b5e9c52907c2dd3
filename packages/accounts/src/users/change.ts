import type { Deps } from '../deps.js'
import { AccountsError, about } from '../errors.js'
import { findUserById } from '../identifiers/user-id.js'
import type { PendingMail } from '../seams/outbox.js'
import type { UserStore } from '../seams/user-store.js'
import { type AccountUser, accountUser, noPassword, type User, type UserChanges } from '../user.js'

/** So many others may change the same user in between. */
const tries = 10

/**
 * Changes a user by compare-and-set, again with the newest record where somebody was faster.
 * @param changesFor the changes that a record calls for; `{}` where it is right as it is, `null` gives up
 * @param mailsFor the mails that tell of the change, and are kept if and only if it is
 * @returns the changed user, or `null` where `changesFor` gave up or the user is gone
 * @throws AccountsError ACCOUNTS_CONFLICT when others were faster every time
 */
export async function changeUser(
  users: Pick<UserStore, 'findById' | 'update'>,
  user: User,
  changesFor: (current: User) => UserChanges | null,
  mailsFor: (changed: User, before: User) => readonly PendingMail[] = () => [],
): Promise<User | null> {
  let current: User | null = user
  for (let attempt = 0; attempt < tries && current !== null; attempt += 1) {
    const changes = changesFor(current)
    if (changes === null) return null
    if (Object.keys(changes).length === 0) return current
    const mails = mailsFor(withChanges(current, changes), current)
    const changed = await users.update(current.id, changes, current.version, mails)
    if (changed !== null) return changed
    current = await users.findById(current.id)
  }
  if (current === null) return null
  throw new AccountsError('ACCOUNTS_CONFLICT')
}

/** The user as they will be. */
function withChanges(current: User, changes: UserChanges): User {
  const given = Object.entries(changes).filter(([, value]) => value !== undefined)
  return { ...current, ...Object.fromEntries(given) }
}

/** Logs everybody out, and makes the password void: the way back in is a reset link. */
export function lockChanges(current: User): UserChanges {
  return newPasswordChanges(current, noPassword)
}

/** What a new password brings: every session and every reset link that was given out before is dead. */
export function newPasswordChanges(current: User, passwordHash: string): UserChanges {
  return { passwordHash, sessionEpoch: current.sessionEpoch + 1, resetEpoch: current.resetEpoch + 1 }
}

/** What is decided about a user. */
export interface UserFlags {
  isStaff?: boolean | undefined
  isActive?: boolean | undefined
  isVerified?: boolean | undefined
}

export function flagChanges(current: User, { isStaff, isActive, isVerified }: UserFlags): UserChanges {
  return {
    isStaff,
    isActive,
    isVerified,
    // What was taken away is not given back by a link of before.
    ...(isVerified === false && current.isVerified && { verifyEpoch: current.verifyEpoch + 1 }),
    // Without it a session whose row stayed, or a link in an old mail, would live again with the user.
    ...(isActive === false && {
      sessionEpoch: current.sessionEpoch + 1,
      resetEpoch: current.resetEpoch + 1,
    }),
  }
}

/**
 * Does something to a user to whom the actor may do it. Every refusal is about that user.
 * @throws AccountsError ACCOUNTS_FORBIDDEN; ACCOUNTS_NOT_FOUND, also where the actor may not know that there is one
 */
export async function withPermission<T>(
  { users, options }: Pick<Deps, 'users' | 'options'>,
  actor: AccountUser,
  { id, action }: { id: string; action: 'deleteUser' | 'manageUser' },
  work: (target: User) => Promise<T>,
): Promise<T> {
  const target = await findUserById(users, id)
  if (target === null) throw new AccountsError('ACCOUNTS_NOT_FOUND')
  return about(target, async () => {
    if (await options.authorize[action](actor, accountUser(target))) return work(target)
    const visible = await options.authorize.showUser(actor, accountUser(target))
    throw new AccountsError(visible ? 'ACCOUNTS_FORBIDDEN' : 'ACCOUNTS_NOT_FOUND')
  })
}
