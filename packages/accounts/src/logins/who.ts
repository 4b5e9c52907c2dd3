import { AccountsError } from '../errors.js'
import type { Visit } from '../sessions/session-reader.js'

/** The logged-in user of a request, and their login. */
export interface Who extends Visit {
  /** Whether they have proved recently who they are: with a second factor, or the password if no factor is on. */
  readonly isConfirmed: boolean
}

/**
 * For actions reserved to the owner, even in a browser left open.
 * @param factors what confirms, if not everything does
 * @throws AccountsError ACCOUNTS_CONFIRMATION_REQUIRED without a recent proof of identity
 */
export function requireConfirmed({ isConfirmed }: Who, factors?: readonly string[] | null): void {
  if (!isConfirmed)
    throw new AccountsError('ACCOUNTS_CONFIRMATION_REQUIRED', { factors: factors ?? undefined })
}
