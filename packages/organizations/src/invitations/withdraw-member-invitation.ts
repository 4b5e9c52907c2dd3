import { changedMeanwhile } from 'fastify-accounts/features'
import type { Actor } from '../membership/inside.js'
import type { OrganizationDeps } from '../parts.js'
import { withMemberInvitation } from './with-member-invitation.js'
import { withdraw } from './withdraw.js'

/**
 * Withdraws an invitation to an organization, which can't take effect afterwards.
 * @param organizationName an id or a slug
 * @throws AccountsError ACCOUNTS_NOT_FOUND, ACCOUNTS_FORBIDDEN, ACCOUNTS_CONFLICT
 */
export async function withdrawMemberInvitation(
  deps: OrganizationDeps,
  actor: Actor,
  organizationName: string,
  id: string,
): Promise<void> {
  await withMemberInvitation(deps, actor, organizationName, id, async (invitation) => {
    if (!(await withdraw(deps, invitation, invitation.version))) throw changedMeanwhile()
  })
}
