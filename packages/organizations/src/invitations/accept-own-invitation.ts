import type { StoredUser } from 'fastify-accounts'
import type { OwnOrganization } from '../organization/list-own-organizations.js'
import type { OrganizationDeps } from '../parts.js'
import { acceptInvitation } from './accept-invitation.js'
import { findOwnInvitation } from './find-own-invitation.js'

/**
 * Accepts an invitation to an organization, for the owner of the address that it was sent to.
 * @throws AccountsError ACCOUNTS_NOT_VERIFIED, and as `acceptInvitation`
 */
export async function acceptOwnInvitation(
  deps: OrganizationDeps,
  user: StoredUser,
  id: string,
): Promise<OwnOrganization> {
  return acceptInvitation(deps, await findOwnInvitation(deps, user, id), user)
}
