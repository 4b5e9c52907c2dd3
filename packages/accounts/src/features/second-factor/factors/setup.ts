import type { Deps } from '../../../deps.js'
import { refusal } from '../../../errors.js'
import type { Factor } from '../../../logins/factor.js'
import type { StoredUser, User } from '../../../user.js'
import { ownRecord } from '../../../users/own-record.js'

/** How apps are set up in a mount. */
export interface Setup {
  /** Seal what the client carries in between. */
  keys: readonly [Buffer, ...Buffer[]]
  /** What an app shows as the name of the service. */
  issuer: string
}

/** Whoever is logged in, and turns a factor on. */
export interface Enroller {
  user: User
  /** Whether two factors were what they proved last: a passkey that verifies its owner gives both. */
  gaveTwoFactors: boolean
}

/**
 * The record of whoever turns a factor on. Where a passkey logs in, it is asked for: a thief who has the password alone
 * must not put an app of theirs in front of it.
 * @throws AccountsError ACCOUNTS_NOT_VERIFIED, ACCOUNTS_LOGIN_REQUIRED, ACCOUNTS_CONFIRMATION_REQUIRED
 */
export async function findEnroller(
  { users, factors }: Pick<Deps, 'users'> & { factors: readonly Factor[] },
  { user, gaveTwoFactors }: Enroller,
): Promise<StoredUser> {
  // Whoever typed somebody else's address would lock its owner out of the account for good.
  if (user.email !== null && !user.isVerified) throw refusal('ACCOUNTS_NOT_VERIFIED')
  const found = await ownRecord({ users }, user)
  const hasPasskey = factors.some(({ confirms }) => confirms?.(found))
  // Who has a factor on has given it.
  if (found.factors.length === 0 && hasPasskey && !gaveTwoFactors)
    throw refusal('ACCOUNTS_CONFIRMATION_REQUIRED')
  return found
}
