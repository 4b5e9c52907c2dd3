import { AccountsError } from '../errors.js'
import type { Visit } from '../sessions/session-reader.js'
import { confirming } from './asked-factors.js'
import type { OwnerProof } from './owner-proof.js'

/** The logged-in user of a request, and their login. */
export interface Who extends Visit {
  /** Whether they have proved recently who they are: with a second factor, or the password if no factor is on. */
  readonly isConfirmed: boolean
}

/**
 * For actions reserved to the owner, even in a browser left open.
 * @param proofs as `ownerProofs` returns them. Default: what confirms is left to the account's factors
 * @throws AccountsError ACCOUNTS_CONFIRMATION_REQUIRED without a recent proof of identity
 */
export function requireConfirmed({ isConfirmed, user }: Who, proofs?: readonly OwnerProof[] | null): void {
  if (!isConfirmed) throw new AccountsError('ACCOUNTS_CONFIRMATION_REQUIRED', confirming(user, proofs))
}
