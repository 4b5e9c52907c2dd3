import type { Deps } from '../../deps.js'
import { pendingAddressOf } from '../../notes.js'
import type { User } from '../../user.js'
import { ownRecord } from '../../users/own-record.js'
import type { EmailChangeView } from './schemas.js'

/**
 * The address that awaits confirmation, whether or not it has an account.
 * @throws AccountsError ACCOUNTS_LOGIN_REQUIRED
 */
export async function showEmailChange(
  { users, links }: Pick<Deps, 'users' | 'links'>,
  user: User,
): Promise<EmailChangeView> {
  const own = await ownRecord({ users }, user)
  const pending = pendingAddressOf(own)
  const isGood = pending?.state === links.stateOf('change-email', own, pending?.email)
  return isGood ? { email: pending.email, expires_at: pending.until } : { email: null, expires_at: null }
}
