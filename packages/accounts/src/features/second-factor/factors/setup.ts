import type { Deps } from '../../../deps.js'
import { refusal } from '../../../errors.js'
import type { Factor } from '../../../logins/factor.js'
import type { StoredUser, User } from '../../../user.js'
import { ownRecord } from '../../../users/own-record.js'

/** How apps are set up in a mount. */
export interface Setup {
  /** Seal what the client carries during setup. */
  keys: readonly [Buffer, ...Buffer[]]
  /** What an app shows as the name of the service. */
  issuer: string
}

/** The logged-in user who turns a factor on. */
export interface Enroller {
  user: User
  /** Whether two factors were what they proved last: a passkey with user verification gives both. */
  gaveTwoFactors: boolean
}

/**
 * The record of the user who turns a factor on. If a passkey can log in, it is required: a thief who only has
 * the password must not add their own app in front of it.
 * @throws AccountsError ACCOUNTS_NOT_VERIFIED, ACCOUNTS_LOGIN_REQUIRED, ACCOUNTS_CONFIRMATION_REQUIRED
 */
export async function findEnroller(
  { users, factors }: Pick<Deps, 'users'> & { factors: readonly Factor[] },
  { user, gaveTwoFactors }: Enroller,
): Promise<StoredUser> {
  // Somebody who typed another person's address would lock its owner out of the account for good.
  if (user.email !== null && !user.isVerified) throw refusal('ACCOUNTS_NOT_VERIFIED')
  const found = await ownRecord({ users }, user)
  const hasPasskey = factors.some(({ confirms }) => confirms?.(found))
  // With a factor on, they have already given it.
  if (found.factors.length === 0 && hasPasskey && !gaveTwoFactors)
    throw refusal('ACCOUNTS_CONFIRMATION_REQUIRED')
  return found
}
