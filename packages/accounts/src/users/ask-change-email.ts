import type { Deps } from '../deps.js'
import type { EmailAddress } from '../identifiers/email.js'
import { accountUser, type User } from '../user.js'
import { domainOf } from './ask-sign-up.js'

/**
 * Asks the app's rule about a new address, before that is looked up.
 * @throws RuleError if it refuses; AccountsError ACCOUNTS_UNAVAILABLE
 */
export async function askChangeEmail(
  { rules }: Pick<Deps, 'rules'>,
  user: User,
  address: EmailAddress,
  actor: User = user,
): Promise<void> {
  await rules.changeEmail?.({
    user: accountUser(user),
    email: address.email,
    domain: domainOf(address),
    actor: accountUser(actor),
  })
}
