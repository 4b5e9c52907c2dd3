import type { Deps } from '../../../deps.js'
import { AccountsError } from '../../../errors.js'
import type { StoredUser, User } from '../../../user.js'
import { ownRecord } from '../../../users/own-record.js'

/** How apps are set up in a mount. */
export interface Setup {
  /** Seal what the client carries during setup. */
  keys: readonly [Buffer, ...Buffer[]]
  /** What an app shows as the name of the service. */
  issuer: string
}

/** What the client carries, sealed: the session that started it, the `factorState` then, and until when it works. */
export type StartedSetup = [userId: string, session: string, state: string, secret: string, end: number]

/**
 * The record of the user who turns a factor on.
 * @throws AccountsError ACCOUNTS_NOT_VERIFIED, ACCOUNTS_LOGIN_REQUIRED
 */
export async function findEnroller({ users }: Pick<Deps, 'users'>, user: User): Promise<StoredUser> {
  // Somebody who typed another person's address would lock its owner out of the account for good.
  if (user.email !== null && !user.isVerified) throw new AccountsError('ACCOUNTS_NOT_VERIFIED')
  return ownRecord({ users }, user)
}
