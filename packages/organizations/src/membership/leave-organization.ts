import type { User } from 'fastify-accounts'
import type { OrganizationDeps } from '../parts.js'
import { removeMembership } from './remove-membership.js'

/**
 * Ends a membership of one's own, whatever its roles.
 * @param organizationName an id or a slug
 * @throws AccountsError ACCOUNTS_NOT_FOUND; ACCOUNTS_CONFLICT: `last_owner`, `changed_meanwhile`
 */
export async function leaveOrganization(
  deps: OrganizationDeps,
  actor: User,
  organizationName: string,
): Promise<void> {
  await removeMembership(deps, actor, organizationName, actor.id, () => null)
}
