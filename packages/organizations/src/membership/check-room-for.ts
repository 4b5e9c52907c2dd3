import { AccountsError } from 'fastify-accounts'
import type { OrganizationDeps } from '../parts.js'
import type { Inside } from './inside.js'

/**
 * Whether there is room for another member, in the organization and in the list of their own.
 * @throws AccountsError ACCOUNTS_CONFLICT: `organization_full`, `too_many_organizations`
 */
export async function checkRoomFor(
  { organizations, settings }: Pick<OrganizationDeps, 'organizations' | 'settings'>,
  { organization }: Pick<Inside, 'organization'>,
  userId: string,
): Promise<void> {
  if (organization.members >= settings.limits.members)
    throw new AccountsError('ACCOUNTS_CONFLICT', { reason: 'organization_full' })
  if ((await organizations.countOfUser(userId)) >= settings.limits.organizations)
    throw new AccountsError('ACCOUNTS_CONFLICT', { reason: 'too_many_organizations' })
}
