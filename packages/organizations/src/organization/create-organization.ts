import { randomBytes } from 'node:crypto'
import { AccountsError, type StoredUser } from 'fastify-accounts'
import { accountUser, isKnownOwner } from 'fastify-accounts/features'
import type { Inside } from '../membership/inside.js'
import type { OrganizationDeps } from '../parts.js'
import { permissionsOf } from '../roles.js'
import type { Membership, Organization } from '../store/organization-store.js'

/** What a new organization is given. */
export interface NewOrganization {
  name: string
  slug: string
  fields?: Organization['fields'] | undefined
}

/**
 * Creates an organization, whose only member and owner is this user.
 * @throws AccountsError ACCOUNTS_NOT_VERIFIED for an account whose address isn't proven, which may be somebody else's soon;
 * ACCOUNTS_FORBIDDEN, ACCOUNTS_INVALID_INPUT; ACCOUNTS_CONFLICT: `slug_taken`, `too_many_organizations`
 */
export async function createOrganization(
  deps: OrganizationDeps,
  owner: StoredUser,
  { name, slug, fields = {} }: NewOrganization,
): Promise<Inside> {
  const { organizations, settings, events } = deps
  if (!isKnownOwner(owner)) throw new AccountsError('ACCOUNTS_NOT_VERIFIED')
  if (!(await deps.mayCreate(accountUser(owner)))) throw new AccountsError('ACCOUNTS_FORBIDDEN')
  const faults = settings.checkFields(fields)
  if (faults.length > 0) throw new AccountsError('ACCOUNTS_INVALID_INPUT', { fields: faults })
  if ((await organizations.countOfUser(owner.id)) >= settings.limits.organizations)
    throw new AccountsError('ACCOUNTS_CONFLICT', { reason: 'too_many_organizations' })
  const id = `org_${randomBytes(16).toString('base64url')}`
  const createdAt = new Date()
  const organization = { id, slug, name, fields, createdAt, members: 1, owners: 1 }
  const membership: Membership = {
    organizationId: id,
    userId: owner.id,
    roles: ['owner'],
    since: createdAt,
    invitationId: null,
  }
  const messages = [
    ...events.about('organization.created', owner, { organization_id: id }),
    ...events.about('member.added', owner, { organization_id: id, roles: ['owner'] }),
  ]
  if (!(await organizations.create(organization, [membership], messages)))
    throw new AccountsError('ACCOUNTS_CONFLICT', { reason: 'slug_taken' })
  return {
    organization: { ...organization, version: 1 },
    membership,
    permissions: permissionsOf(membership.roles, settings.roles),
  }
}
