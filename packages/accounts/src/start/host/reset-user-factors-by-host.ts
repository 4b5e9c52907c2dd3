import type { Deps } from '../../deps.js'
import { type FactorsReset, resetUserFactors } from '../../features/second-factor/reset-user-factors.js'
import type { MailKind } from '../../seams/mailer.js'
import { foundOrNull } from './host-accounts.js'

/**
 * Removes all second factors of a user for the host's own code, without calling `authorize`. `null` if there is no such
 * user.
 * @param mail the kind of email that tells the owner; `undefined` if no feature has one
 * @throws AccountsError ACCOUNTS_CONFLICT
 */
export async function resetUserFactorsByHost(
  deps: Pick<Deps, 'users' | 'options' | 'postOffice' | 'hasWayIn'>,
  userId: string,
  mail: MailKind | undefined,
): Promise<FactorsReset | null> {
  return foundOrNull(() => resetUserFactors(deps, 'host', userId, mail))
}
