import type { StoredUser, User } from 'fastify-accounts'
import { AccountsError } from 'fastify-accounts'
import { accountUser, can, type Deps } from 'fastify-accounts/features'
import type { OrganizationDeps } from '../parts.js'
import { covers, everyPermission, gives, permissionsOf } from '../roles.js'
import type { Membership, Organization, OrganizationKey } from '../store/organization-store.js'

/** Who acts: somebody logged in, or the app's own code. */
export type Actor = User | 'host'

/** What somebody is and may do inside an organization. */
export interface Inside {
  organization: Organization
  /** `null` for staff of the mount and the app's own code. */
  membership: Membership | null
  permissions: ReadonlySet<string>
  /** Whether they have `orgs:manage` of the mount, as the app's own code does: an owner inside doesn't. */
  manages: boolean
}

/** By what a path, header or call names an organization: an id has a `_`, and no slug has. `null` for what neither can be. */
export function keyOf(name: unknown): OrganizationKey | null {
  if (typeof name !== 'string' || !/^[\w-]{2,100}$/.test(name)) return null
  return name.startsWith('org_') ? { id: name } : { slug: name }
}

/**
 * Finds an organization as somebody sees it: members, those with `orgs:read` or `orgs:manage`, and the app's own code.
 * @throws AccountsError ACCOUNTS_NOT_FOUND, after the same work, for everybody else
 */
export async function findInside(
  { organizations, settings, options }: Pick<OrganizationDeps, 'organizations' | 'settings' | 'options'>,
  actor: Actor,
  name: string,
): Promise<Inside> {
  const key = keyOf(name)
  if (key === null) throw new AccountsError('ACCOUNTS_NOT_FOUND')
  if (actor === 'host') {
    const organization = await organizations.find(key)
    if (organization === null) throw new AccountsError('ACCOUNTS_NOT_FOUND')
    return { organization, membership: null, permissions: new Set([everyPermission]), manages: true }
  }
  const found = await organizations.findFor(key, actor.id)
  const staff = accountUser(actor)
  const manages = can(staff, 'orgs:manage', options)
  const isVisible = found?.membership != null || manages || can(staff, 'orgs:read', options)
  if (found === null || !isVisible) throw new AccountsError('ACCOUNTS_NOT_FOUND')
  const { organization, membership } = found
  const own = permissionsOf(membership?.roles ?? [], settings.roles)
  const permissions = manages ? new Set([...own, everyPermission]) : own
  return { organization, membership, permissions, manages }
}

/** @throws AccountsError ACCOUNTS_FORBIDDEN */
export function demand({ permissions }: Pick<Inside, 'permissions'>, permission: string): void {
  if (!gives(permissions, permission))
    throw new AccountsError('ACCOUNTS_FORBIDDEN', { reason: 'missing_permission' })
}

/**
 * Nobody gives or takes what they don't have.
 * @throws AccountsError ACCOUNTS_FORBIDDEN
 */
export function demandCovers(
  { settings }: Pick<OrganizationDeps, 'settings'>,
  { permissions }: Pick<Inside, 'permissions'>,
  roles: readonly string[],
): void {
  if (!covers(permissions, permissionsOf(roles, settings.roles)))
    throw new AccountsError('ACCOUNTS_FORBIDDEN', { reason: 'missing_permission' })
}

/**
 * Who acts, as they are now: between the request and its write they may have been disabled, logged out, or lost a role.
 * @throws AccountsError ACCOUNTS_FORBIDDEN
 */
export async function currentActor(
  { users }: { users: Pick<Deps['users'], 'findById'> },
  actor: Actor,
): Promise<Actor> {
  if (actor === 'host') return actor
  const current: StoredUser | null = await users.findById(actor.id)
  if (!current?.isActive || current.sessionEpoch !== actor.sessionEpoch)
    throw new AccountsError('ACCOUNTS_FORBIDDEN')
  return current
}
