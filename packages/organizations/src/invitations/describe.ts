import type { Invitation } from 'fastify-accounts'
import type { OrganizationDeps } from '../parts.js'
import { rolesOf } from './roles-of.js'
import { organizationIdOf } from './target.js'

/** What people see of an invitation before they accept; `null` if the organization is gone. */
export async function describe(
  { organizations, settings, options }: Pick<OrganizationDeps, 'organizations' | 'settings' | 'options'>,
  invitation: Invitation,
): Promise<{ id: string; name: string; roles: string[] } | null> {
  const id = organizationIdOf(invitation, options)
  const organization = id === null ? null : await organizations.find({ id })
  if (organization === null) return null
  return { id: organization.id, name: organization.name, roles: rolesOf(invitation, settings) }
}
