import type { Deps } from '../../../deps.js'
import type { Invitation } from '../../../seams/invitation-store.js'
import { checkMayCreate } from '../../../users/check-may-create.js'
import { isGood } from '../../../users/invitations/check-may-invite.js'
import { targetFactsOf } from './find-invitee.js'

/**
 * Whether an invitation may bring in somebody who has no account. One to an account does: who made it may invite. One to something
 * else may be anybody's, so it opens no closed sign-up, unless its inviter may invite to an account as well.
 * @throws AccountsError ACCOUNTS_FORBIDDEN: `sign_up_closed`
 */
export async function checkMayJoin(
  deps: Pick<Deps, 'users' | 'options' | 'invitationTargets'>,
  invitation: Invitation,
): Promise<void> {
  if (targetFactsOf(deps, invitation) === null) return
  const toAccount = { inviterId: invitation.inviterId, gives: { fields: {}, roles: [] } }
  if (!(await isGood(deps, toAccount))) await checkMayCreate(deps.options, null)
}
