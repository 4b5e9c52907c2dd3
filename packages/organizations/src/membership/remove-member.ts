import type { OrganizationDeps } from '../parts.js'
import { type Actor, demand, demandCovers } from './inside.js'
import { removeMembership } from './remove-membership.js'

/**
 * Removes a member, who may be the actor. Nobody removes somebody who has more than they have themselves.
 * @param organizationName an id or a slug
 * @throws AccountsError ACCOUNTS_NOT_FOUND, ACCOUNTS_FORBIDDEN; ACCOUNTS_CONFLICT: `last_owner`, `changed_meanwhile`
 */
export async function removeMember(
  deps: OrganizationDeps,
  actor: Actor,
  organizationName: string,
  userId: string,
): Promise<void> {
  await removeMembership(deps, actor, organizationName, userId, (inside) => {
    demand(inside, 'members:edit')
    return ({ roles }) => demandCovers(deps, inside, roles)
  })
}
