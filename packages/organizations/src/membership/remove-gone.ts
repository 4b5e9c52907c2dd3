import { changedMeanwhile, findAccount } from 'fastify-accounts/features'
import { maxAttempts, type OrganizationDeps, pauseAfter, writeTo } from '../parts.js'
import { isOwner } from '../roles.js'
import type { Membership } from '../store/organization-store.js'

/**
 * Removes a new membership again if its account was deleted meanwhile: the deletion has looked for memberships before and after it,
 * and this looks for the account after the membership is there, so one of both sees the other.
 */
export async function removeGone(
  deps: Pick<OrganizationDeps, 'users' | 'organizations' | 'events'>,
  { organizationId, userId }: Pick<Membership, 'organizationId' | 'userId'>,
): Promise<void> {
  if ((await findAccount(deps, userId)) !== null) return
  await removeLeftover(deps, organizationId, userId)
}

/**
 * Removes the membership of an account that is gone, even that of the last owner: nobody can act as them anymore.
 * @throws AccountsError ACCOUNTS_CONFLICT: `changed_meanwhile` if others kept changing the organization
 */
export async function removeLeftover(
  { organizations, events }: Pick<OrganizationDeps, 'organizations' | 'events'>,
  organizationId: string,
  userId: string,
): Promise<void> {
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const found = await organizations.findFor({ id: organizationId }, userId)
    if (!found?.membership) return
    const { organization, membership } = found
    const members = organization.members - 1
    const owners = organization.owners - (isOwner(membership) ? 1 : 0)
    const write = members < 1 ? { isDeletion: true } : { changes: { members, owners }, remove: [userId] }
    const type = members < 1 ? 'organization.deleted' : 'member.removed'
    const messages = events.about(type, { id: userId }, { organization_id: organizationId })
    if ((await organizations.write([writeTo(organization, write)], messages)) === 'written') return
    await pauseAfter(attempt)
  }
  throw changedMeanwhile()
}
