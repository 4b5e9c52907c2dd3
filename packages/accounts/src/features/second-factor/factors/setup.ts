import type { Deps } from '../../../deps.js'
import { refusal } from '../../../errors.js'
import type { StoredUser, User } from '../../../user.js'

/** How apps are set up in a mount. */
export interface Setup {
  /** Seal what the client carries in between. */
  keys: readonly [Buffer, ...Buffer[]]
  /** What an app shows as the name of the service. */
  issuer: string
}

/**
 * The record of whoever is logged in.
 * @param turnsOn whether a factor is to be turned on
 * @throws AccountsError ACCOUNTS_NOT_VERIFIED, ACCOUNTS_LOGIN_REQUIRED
 */
export async function findOwner(users: Deps['users'], user: User, turnsOn = true): Promise<StoredUser> {
  // Whoever typed somebody else's address would lock its owner out of the account for good.
  if (turnsOn && user.email !== null && !user.isVerified) throw refusal('ACCOUNTS_NOT_VERIFIED')
  const found = await users.findById(user.id)
  if (found === null || found.sessionEpoch !== user.sessionEpoch) throw refusal('ACCOUNTS_LOGIN_REQUIRED')
  return found
}
