import { randomBytes } from 'node:crypto'
import { AccountsError, type StoredUser } from 'fastify-accounts'
import { accountUser, fieldsSizeFaults } from 'fastify-accounts/features'
import { checkMayBelong } from '../membership/check-may-belong.js'
import type { Actor, Inside } from '../membership/inside.js'
import { removeGone } from '../membership/remove-gone.js'
import type { OrganizationDeps } from '../parts.js'
import { permissionsOf } from '../roles.js'
import type { Membership, Organization } from '../store/organization-store.js'
import { checkOrganization } from './check-organization.js'

/** What a new organization is given. */
export interface NewOrganization {
  /** One line. White space around it goes. */
  name: string
  slug: string
  fields?: Organization['fields'] | undefined
}

/**
 * Creates an organization, whose only member is its owner.
 * @param actor the owner themself, or the app's own code, which the rule `createOrganization` isn't asked about
 * @throws AccountsError ACCOUNTS_NOT_VERIFIED for an account whose address isn't proven, which may be somebody else's soon;
 * ACCOUNTS_FORBIDDEN, ACCOUNTS_INVALID_INPUT; ACCOUNTS_CONFLICT: `slug_taken`, `too_many_organizations`
 */
export async function createOrganization(
  deps: OrganizationDeps,
  actor: Actor,
  owner: StoredUser,
  { name, slug, fields = {} }: NewOrganization,
): Promise<Omit<Inside, 'manages'>> {
  const { organizations, settings, events } = deps
  checkMayBelong(owner)
  if (actor !== 'host' && !(await deps.mayCreate(accountUser(owner))))
    throw new AccountsError('ACCOUNTS_FORBIDDEN')
  const faults = settings.checkFields(fields)
  // What is nested too deep has no size.
  checkOrganization(
    { name: name ?? null, slug: slug ?? null },
    faults.length > 0 ? faults : fieldsSizeFaults(fields),
  )
  if ((await organizations.countOfUser(owner.id)) >= settings.limits.organizations)
    throw new AccountsError('ACCOUNTS_CONFLICT', { reason: 'too_many_organizations' })
  const id = `org_${randomBytes(16).toString('base64url')}`
  const createdAt = new Date()
  const organization = { id, slug, name: name.trim(), fields, createdAt, members: 1, owners: 1 }
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
  await removeGone(deps, membership)
  return {
    organization: { ...organization, version: 1 },
    membership,
    permissions: permissionsOf(membership.roles, settings.roles),
  }
}
