import { withdrawAll } from '../invitations/withdraw-all.js'
import { changeInside } from '../membership/change-inside.js'
import { type Actor, demand, findInside } from '../membership/inside.js'
import type { OrganizationDeps } from '../parts.js'

/**
 * Deletes an organization, with its memberships and its open invitations.
 * @param organizationName an id or a slug
 * @throws AccountsError ACCOUNTS_NOT_FOUND, ACCOUNTS_FORBIDDEN; ACCOUNTS_CONFLICT: `changed_meanwhile`
 */
export async function deleteOrganization(
  deps: OrganizationDeps,
  actor: Actor,
  organizationName: string,
): Promise<void> {
  const inside = await findInside(deps, actor, organizationName)
  demand(inside, 'org:delete')
  const { id } = inside.organization
  await withdrawAll(deps, inside.organization)
  await changeInside(deps, actor, id, (current) => {
    demand(current, 'org:delete')
    return {
      write: { isDeletion: true },
      messages: deps.events.about('organization.deleted', actor === 'host' ? null : actor, {
        organization_id: id,
      }),
      result: undefined,
    }
  })
  // Somebody may have been invited meanwhile. Such an invitation gives nothing anymore, and the outage is logged.
  await withdrawAll(deps, inside.organization).catch(() => {})
}
