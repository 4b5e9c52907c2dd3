import type { StoredUser } from 'fastify-accounts'
import { changedMeanwhile, checkOpen } from 'fastify-accounts/features'
import type { OrganizationDeps } from '../parts.js'
import { findOwnInvitation } from './find-own-invitation.js'
import { stateOf } from './state-of.js'
import { withdraw } from './withdraw.js'

/**
 * Declines an invitation to an organization. Its inviter learns no more than that it isn't open anymore.
 * @throws AccountsError ACCOUNTS_NOT_FOUND, ACCOUNTS_NOT_VERIFIED; ACCOUNTS_CONFLICT: `being_accepted`, `already_accepted`
 */
export async function declineInvitation(deps: OrganizationDeps, user: StoredUser, id: string): Promise<void> {
  const invitation = await findOwnInvitation(deps, user, id)
  await checkOpen(deps, invitation, stateOf)
  if (!(await withdraw(deps, invitation, invitation.version))) throw changedMeanwhile()
}
