import { AccountsError } from 'fastify-accounts'
import { accountUser, can, type ListPosition } from 'fastify-accounts/features'
import type { Actor } from '../membership/inside.js'
import { type Page, pageOf, perPage } from '../page.js'
import type { OrganizationDeps } from '../parts.js'
import type { Organization } from '../store/organization-store.js'

/**
 * One page of all organizations, the oldest first: for those with `orgs:read` or `orgs:manage` of the mount.
 * @throws AccountsError ACCOUNTS_FORBIDDEN, ACCOUNTS_THROTTLED
 */
export async function listOrganizations(
  { organizations, options, throttle }: Pick<OrganizationDeps, 'organizations' | 'options' | 'throttle'>,
  actor: Actor,
  after: ListPosition | undefined,
): Promise<Page<Organization>> {
  if (actor !== 'host') {
    const user = accountUser(actor)
    if (!can(user, 'orgs:read', options) && !can(user, 'orgs:manage', options))
      throw new AccountsError('ACCOUNTS_FORBIDDEN', { reason: 'missing_permission' })
    await throttle.spend('listUsers', actor.id)
  }
  const found = await organizations.list({
    limit: perPage + 1,
    after: after && { createdAt: after.createdAt, id: after.id },
  })
  return pageOf(found, ({ createdAt, id }) => ({ createdAt, id }))
}
