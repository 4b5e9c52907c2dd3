import { AccountsError } from '../../../errors.js'
import { confirming } from '../../../logins/asked-factors.js'
import { codesOf, newSeed } from '../../../logins/codes/mailed-code.js'
import type { Factor } from '../../../logins/factor.js'
import { ownerProofs } from '../../../logins/owner-proof.js'
import type { ResolvedOptions } from '../../../options/resolve.js'
import { holdsPassword, type StoredUser } from '../../../user.js'

export const confirmationKind = 'confirmation-code'

/**
 * Whether a code confirms: on an account with a login passkey as `ownerProofs` says, on others if there is nothing
 * else, neither a password nor a factor.
 */
export function confirmsByCode(
  user: StoredUser,
  { factors, options }: { factors: readonly Factor[]; options: Pick<ResolvedOptions, 'links'> },
): boolean {
  const proofs = ownerProofs(user, factors, options)
  if (proofs !== null) return proofs.includes('email-code')
  return user.isVerified && user.emailKey !== null && !holdsPassword(user) && user.factors.length === 0
}

/** The error for an account that confirms with something else. */
export function otherProof(
  user: StoredUser,
  { factors, options }: { factors: readonly Factor[]; options: Pick<ResolvedOptions, 'links'> },
): AccountsError {
  const requirement = confirming(user, ownerProofs(user, factors, options))
  return new AccountsError('ACCOUNTS_CONFIRMATION_REQUIRED', requirement)
}

/** The seed of a code for a session. */
export function newSeedFor(session: string): string {
  return `${newSeed()}.${session}`
}

/** The seeds of the codes that a session has requested. */
export function seedsFor(user: StoredUser, session: string): string[] {
  const seeds = codesOf(user, confirmationKind).map(({ id }) => id)
  return seeds.filter((seed) => seed.endsWith(`.${session}`))
}
