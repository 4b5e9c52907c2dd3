import type { ListPosition } from 'fastify-accounts/features'
import { type Page, pageOf, perPage } from '../page.js'
import type { OrganizationDeps } from '../parts.js'
import type { Membership, Organization } from '../store/organization-store.js'

/** An organization that somebody belongs to, and their membership there. */
export interface OwnOrganization {
  organization: Organization
  membership: Membership
}

/**
 * One page of the organizations of a user or service account, the oldest membership first.
 * @param userId whose
 */
export async function listOwnOrganizations(
  { organizations }: Pick<OrganizationDeps, 'organizations'>,
  userId: string,
  after: ListPosition | undefined,
): Promise<Page<OwnOrganization>> {
  const found = await organizations.listOfUser(userId, {
    limit: perPage + 1,
    after: after && { since: after.createdAt, organizationId: after.id },
  })
  return pageOf(found, ({ membership: { since, organizationId } }) => ({
    createdAt: since,
    id: organizationId,
  }))
}
