import type { Deps } from '../deps.js'
import { followingName, isReplacementName, replacementName } from '../identifiers/address-name.js'
import { noPassword, type StoredUser, type UserChanges, undoableUntil } from '../user.js'

/**
 * Replaces an account whose address nobody had proven with a new one, for the person who proved it: under another id, so
 * what the old one's maker left in the app's own tables doesn't come along. No store changes two users at once, hence
 * the order: the address is freed, then the new account created, then the old one deleted. If that stops halfway, the
 * next login finds the address free, or the new account, and the rest is `isRemainder`.
 *
 * If the old account can still get an earlier, proven address back, it only loses this one: it is somebody else's.
 * @param mayTake whether the account is still nobody's
 * @param onReplaced called once the new account exists, with the id of the one that goes
 * @returns the new account; `null` if the old one may no longer be taken
 */
export async function replaceUser(
  { users, options, removeSessions }: Pick<Deps, 'users' | 'options' | 'removeSessions'>,
  old: StoredUser,
  mayTake: (current: StoredUser) => boolean,
  create: () => Promise<StoredUser>,
  onReplaced: (created: StoredUser, formerId: string) => void,
): Promise<StoredUser | null> {
  let stays = false
  const freed = await users.change(old, (current) => {
    if (!mayTake(current)) return null
    stays = Date.now() < undoableUntil(current, options.links.undoLifetime)
    return stays
      ? { email: null, emailKey: null, verifyEpoch: current.verifyEpoch + 1, ...followingName(current, null) }
      : remainderOf(current)
  })
  if (freed === null) return null
  const created = await create()
  if (stays) return created
  onReplaced(created, old.id)
  await users.delete(old.id, [], created)
  await removeSessions(old.id)
  return created
}

/** What is left of an account until it is deleted: nobody can log in to it, and its address and name are free again. */
export function remainderOf({ sessionEpoch, resetEpoch, verifyEpoch }: StoredUser): UserChanges {
  return {
    ...replacementName(),
    email: null,
    emailKey: null,
    invitedAt: null,
    isActive: false,
    passwordHash: noPassword,
    roles: [],
    credentials: [],
    identityKeys: [],
    sessionEpoch: sessionEpoch + 1,
    resetEpoch: resetEpoch + 1,
    verifyEpoch: verifyEpoch + 1,
  }
}

/** Whether a user is the rest of a replaced account whose deletion failed: no user whom the app has disabled is like it. */
export function isRemainder(user: StoredUser): boolean {
  const { username, email, isActive, isVerified, passwordHash, credentials, identityKeys } = user
  const isEmpty = passwordHash === noPassword && credentials.length === 0 && identityKeys.length === 0
  return isReplacementName(username) && email === null && !isActive && !isVerified && isEmpty
}
