import { AccountsError } from '../errors.js'
import type { ResolvedOptions } from '../options/resolve.js'
import type { Login } from '../sessions/session-rules.js'
import { type StoredUser, type User, undoableUntil } from '../user.js'
import { confirming } from './asked-factors.js'
import type { Factor } from './factor.js'

/** What proves that somebody owns an account with a login passkey; as in the `factors` of an error. */
export type OwnerProof = 'passkey' | 'email-code'

/**
 * What a user must have proved last to change how to log in, or the address. On an account with a login passkey
 * neither the password nor a code of an app counts: someone who steals a password could add an app, or a passkey of
 * their own. A code to an address that nobody can take back anymore counts, because owners lose passkeys.
 * @returns `null` for an account without a login passkey, where any recent login counts
 */
export function ownerProofs(
  user: StoredUser,
  factors: readonly Factor[],
  options: Pick<ResolvedOptions, 'links'>,
): readonly OwnerProof[] | null {
  if (!factors.some(({ logsIn }) => logsIn?.(user))) return null
  return hasOldAddress(user, options) ? ['passkey', 'email-code'] : ['passkey']
}

/** Whether the address is proven, and has replaced no other so lately that its reader could undo that. */
function hasOldAddress(user: User, { links }: Pick<ResolvedOptions, 'links'>): boolean {
  return user.emailKey !== null && user.isVerified && Date.now() >= undoableUntil(user, links.undoLifetime)
}

/** What a session proved last, if that can prove who owns the account. */
function lastOwnerProof({ methods }: Pick<Login, 'methods'>): OwnerProof | null {
  const last = methods.findLast((method) => method !== 'mfa')
  if (last === 'pop' || last === 'user') return 'passkey'
  return last === 'email' ? 'email-code' : null
}

/**
 * The error if what a session proved last, however long ago, isn't enough; `null` if it is.
 * @param proofs as `ownerProofs` returns them
 */
export function ownerRefusal(
  login: Pick<Login, 'userId' | 'methods'>,
  proofs: readonly OwnerProof[] | null,
): AccountsError | null {
  const proof = lastOwnerProof(login)
  if (proofs === null || (proof !== null && proofs.includes(proof))) return null
  const { userId } = login
  return new AccountsError('ACCOUNTS_CONFIRMATION_REQUIRED', {
    ...confirming({ factors: [] }, proofs),
    userId,
  })
}
