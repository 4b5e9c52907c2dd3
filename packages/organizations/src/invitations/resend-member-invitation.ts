import { changedMeanwhile, mailKey, sendAgain } from 'fastify-accounts/features'
import type { Actor } from '../membership/inside.js'
import type { OrganizationDeps } from '../parts.js'
import { withMemberInvitation } from './with-member-invitation.js'

/**
 * Sends an invitation to an organization again, with a new link and a new lifetime; the earlier link ends.
 * @param organizationName an id or a slug
 * @throws AccountsError ACCOUNTS_NOT_FOUND, ACCOUNTS_FORBIDDEN, ACCOUNTS_CONFLICT; ACCOUNTS_THROTTLED if the actor has emailed the
 * address too often, after which the earlier link still works
 */
export async function resendMemberInvitation(
  deps: OrganizationDeps,
  actor: Actor,
  organizationName: string,
  id: string,
): Promise<void> {
  await withMemberInvitation(deps, actor, organizationName, id, async (invitation) => {
    if (actor !== 'host') await deps.throttle.spend('resendMemberInvitation', actor.id)
    // Of the actor, not the inviter: what others send again must not keep the inviter from sending it.
    await deps.throttle.spend('invitationMails', mailKey(actor === 'host' ? null : actor.id, invitation))
    const resent = await sendAgain(deps, invitation, deps.links.lifetimeOf('invitation'))
    if (resent === null) throw changedMeanwhile()
  })
}
