import type { Factor } from '../../../logins/factor.js'
import { holdsPassword, type StoredUser, type User } from '../../../user.js'
import { codesOf, liveCode, newSeed } from './mailed-code.js'

export const confirmationKind = 'confirmation-code'

/** Whether an account has nothing else to confirm with: no password, no factor, and no passkey that logs in. */
export function confirmsByCode(user: StoredUser, factors: readonly Factor[]): boolean {
  const hasElse =
    holdsPassword(user) || user.factors.length > 0 || factors.some(({ confirms }) => confirms?.(user))
  return user.isVerified && user.emailKey !== null && !hasElse
}

/** Whether a session of this account is still valid. */
export function isLoggedIn({ isActive, sessionEpoch }: User, owner: User): boolean {
  return isActive && sessionEpoch === owner.sessionEpoch
}

/** The seed of a code for a session. */
export function newSeedFor(session: string): string {
  return `${newSeed()}.${session}`
}

/** The seed of the code that a session requested last; `null` if it no longer works. */
export function seedFor(user: StoredUser, session: string): string | null {
  const code = codesOf(user, confirmationKind).findLast(({ id }) => id.endsWith(`.${session}`))
  return code && liveCode(user, confirmationKind, code.id) ? code.id : null
}
