import { plainProofOf } from '../../notes.js'
import { holdsPassword, type StoredUser } from '../../user.js'

/**
 * What is known of who owns an account.
 * - `no-address`: nobody can prove one.
 * - `unproven`: who made it typed an address that nobody has proven.
 * - `plain`: somebody proved it who didn't show that they made the account.
 * - `proven`: its maker proved it, or somebody who has it now.
 */
export type OwnershipState = 'no-address' | 'unproven' | 'plain' | 'proven'

/**
 * Accounts that no event changes: an `unclaimed` one keeps what somebody entered at a sign-up with an address that another
 * account has; a `remainder` is what is left of a replaced account until it is deleted; a `service` is used by keys alone.
 */
export type OtherState = 'unclaimed' | 'remainder' | 'service'

export function ownershipOf(user: StoredUser): OwnershipState | OtherState {
  if (user.kind !== 'person') return user.kind
  if (isRemainder(user)) return 'remainder'
  if (user.isVerified) return plainProofOf(user) === null ? 'proven' : 'plain'
  return user.email === null ? 'no-address' : 'unproven'
}

/** Whether somebody has an address, and the account is known to be theirs. */
export const isProven = (user: StoredUser | null): boolean => user !== null && ownershipOf(user) === 'proven'

/** Whether a user is the rest of a replaced account whose deletion failed. Staff may make it an account again. */
export const isRemainder = ({ notes, email, isActive }: StoredUser): boolean =>
  notes.replaced !== undefined && email === null && !isActive

/** Whether somebody has ever logged in, so what is there may be theirs who proves the address. */
export const isUsed = ({ lastLoginAt }: Pick<StoredUser, 'lastLoginAt'>): boolean => lastLoginAt !== null

/** Whether the password of an account is that of its maker, also after a plain proof. */
export function hasMakersPassword(user: StoredUser): boolean {
  const mark = plainProofOf(user)
  return holdsPassword(user) && (mark === null || mark.epoch === user.resetEpoch)
}
