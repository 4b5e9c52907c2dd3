import type { Deps } from '../../deps.js'
import type { User } from '../../user.js'
import { ownRecord } from '../../users/own-record.js'
import { pendingChange } from './pending-facts.js'
import type { EmailChangeView } from './schemas.js'

/**
 * The address that awaits confirmation, whether or not it has an account.
 * @throws AccountsError ACCOUNTS_LOGIN_REQUIRED
 */
export async function showEmailChange(
  { users, links }: Pick<Deps, 'users' | 'links'>,
  user: User,
): Promise<EmailChangeView> {
  return pendingChange({ links }, await ownRecord({ users }, user))
}
