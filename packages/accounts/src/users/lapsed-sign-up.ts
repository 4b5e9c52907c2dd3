import { decoyOf } from '../notes.js'
import type { ResolvedOptions } from '../options/resolve.js'
import { holdsPassword, type StoredUser } from '../user.js'
import { isUsed } from './ownership/states.js'

/** The options that decide it. */
export type LapseOptions = Pick<ResolvedOptions, 'links' | 'requireEmailConfirmation'>

/**
 * Whether somebody has proven the address of a decoy since: then nobody confirms the decoy anymore, as nobody confirms a
 * sign-up whose account somebody else has got. Not once the account that had the address is gone, as `delete-unverified`
 * deletes it: a decoy of a proven address stays then, so the difference would tell.
 * @param owner who has the address now
 */
export function isDecoyOver(decoy: StoredUser, owner: StoredUser | null): boolean {
  const { ownerId } = decoyOf(decoy) ?? {}
  return ownerId !== undefined && ownerId !== null && owner?.isVerified === true
}

/**
 * Looks up what decides whether a decoy is over: who has its address. For everybody else that is their own account, after the
 * same look-up: otherwise the time would tell that the address of a sign-up was taken.
 */
export function findOwnerOf(
  { findByEmail }: { findByEmail(emailKey: string): Promise<StoredUser | null> },
  user: StoredUser | null,
): Promise<StoredUser | null> {
  // Neither an id nor this word is an address.
  return findByEmail(user === null ? 'nobody' : (decoyOf(user)?.emailKey ?? user.emailKey ?? user.id))
}

/**
 * Whether a sign-up has lapsed, so its username and its passkey are free for others: nobody has confirmed its address while
 * its link worked, or nobody can anymore. A sign-up with a free address and one with a taken one lapse alike, or the second
 * attempt at its name would tell which it was.
 * @param owner as `findOwnerOf` has found it
 */
export function isLapsed(user: StoredUser, owner: StoredUser | null, options: LapseOptions): boolean {
  const isDecoy = user.kind === 'unclaimed'
  if (isDecoy && isDecoyOver(user, owner)) return true
  const isLate = Date.now() >= user.createdAt.getTime() + options.links.verifyLifetime
  return isLate && user.origin === 'self' && (isDecoy || awaitsProof(user, options))
}

/** Whether only a proof of its address leads into an account. What staff did to it since stays. */
function awaitsProof(user: StoredUser, { requireEmailConfirmation }: LapseOptions): boolean {
  const { kind, email, isVerified, verifyEpoch, isStaff, roles, identityKeys } = user
  const isUntouched = verifyEpoch === 0 && !isStaff && roles.length === 0
  const isShut = requireEmailConfirmation || (!holdsPassword(user) && identityKeys.length === 0)
  return kind === 'person' && email !== null && !isVerified && !isUsed(user) && isUntouched && isShut
}
