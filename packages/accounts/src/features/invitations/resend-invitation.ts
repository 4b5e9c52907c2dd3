import { changedMeanwhile } from '../../errors.js'
import type { AccountUser } from '../../user.js'
import type { Actor } from '../../users/change.js'
import type { InviteDeps } from './invite.js'
import { mailKey, sendAgain } from './invited/send-again.js'
import { withInvitation } from './invited/with-invitation.js'

/**
 * Sends an invitation again, with a new link and a new lifetime; the earlier link ends.
 * @throws AccountsError ACCOUNTS_FORBIDDEN, ACCOUNTS_NOT_FOUND, ACCOUNTS_CONFLICT; ACCOUNTS_THROTTLED if the actor has emailed
 * the address too often, after which the earlier link still works
 */
export async function resendInvitation(
  deps: InviteDeps,
  actor: Actor<AccountUser>,
  id: string,
  lifetime: number,
): Promise<void> {
  await withInvitation(deps, actor, id, async (invitation) => {
    if (actor !== 'host') await deps.throttle.spend('resendInvitation', actor.id)
    // Of the actor, not the inviter: what others send again must not keep the inviter from sending it.
    await deps.throttle.spend('invitationMails', mailKey(actor === 'host' ? null : actor.id, invitation))
    if ((await sendAgain(deps, invitation, lifetime)) === null) throw changedMeanwhile()
  })
}
