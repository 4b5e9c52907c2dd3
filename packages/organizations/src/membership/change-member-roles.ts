import { withdrawFor } from '../invitations/withdraw-for.js'
import type { OrganizationDeps } from '../parts.js'
import { covers, permissionsOf } from '../roles.js'
import type { Membership } from '../store/organization-store.js'
import { changeInside } from './change-inside.js'
import { checkMemberRoles } from './check-member-roles.js'
import { findMember } from './find-member.js'
import { type Actor, demand, demandCovers } from './inside.js'
import { membershipWrite } from './membership-write.js'
import { spendOnce } from './spend-once.js'

/**
 * Gives a member other roles. Nobody gives or takes more than they have themselves. Before roles are taken, the invitations go that
 * would give them again.
 * @param organizationName an id or a slug
 * @returns the membership as it is then
 * @throws AccountsError ACCOUNTS_NOT_FOUND, ACCOUNTS_FORBIDDEN, ACCOUNTS_INVALID_INPUT; ACCOUNTS_THROTTLED, unless it only takes
 * rights; ACCOUNTS_CONFLICT: `last_owner`, `changed_meanwhile`
 */
export async function changeMemberRoles(
  deps: OrganizationDeps,
  actor: Actor,
  organizationName: string,
  userId: string,
  roles: readonly string[],
): Promise<Membership> {
  const spend = spendOnce(deps, 'changeOrganization', actor)
  return changeInside(deps, actor, organizationName, async (inside) => {
    demand(inside, 'members:edit')
    const before = await findMember(deps, inside, userId)
    checkMemberRoles(deps, roles)
    demandCovers(deps, inside, before.roles)
    demandCovers(deps, inside, roles)
    const added = roles.filter((role) => !before.roles.includes(role))
    const removed = before.roles.filter((role) => !roles.includes(role))
    if (added.length + removed.length === 0) return { write: null, result: before }
    const after = { ...before, roles: [...roles] }
    const { id } = inside.organization
    // Refuses it, if it must, before an invitation goes.
    const write = membershipWrite(inside.organization, { before, after })
    if (added.length > 0 && !isDemotion(deps, before.roles, roles)) await spend()
    if (removed.length > 0) {
      const user = await deps.users.findById(userId)
      await withdrawFor(deps, inside.organization, user ?? { emailKey: null }, before)
    }
    return {
      write,
      messages: deps.events.about(
        'member.roles_changed',
        { id: userId },
        { organization_id: id, added, removed },
      ),
      result: after,
    }
  })
}

/** Whether it takes permissions, and gives none: that protects the organization, so it spends nothing. */
function isDemotion(
  { settings }: Pick<OrganizationDeps, 'settings'>,
  before: readonly string[],
  after: readonly string[],
): boolean {
  const [held, left] = [permissionsOf(before, settings.roles), permissionsOf(after, settings.roles)]
  return covers(held, left) && !covers(left, held)
}
