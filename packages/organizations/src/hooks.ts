import type { AnyRequest } from 'fastify-accounts'
import { AccountsError } from 'fastify-accounts'
import { createRequestSlot, type Visitor, type Visitors } from 'fastify-accounts/features'
import { keyOf } from './membership/inside.js'
import type { Parts } from './parts.js'
import {
  everyPermission,
  gives,
  type MemberRole,
  memberPermissions,
  type PermissionInside,
  permissionsOf,
} from './roles.js'
import { byParameter } from './settings.js'
import type { Membership, Organization } from './store/organization-store.js'

/** A hook for your own routes, as those of `app.accounts`. */
export type OrganizationHook = ReturnType<Visitors['hook']>

/** What a request is about, and what its sender may do there. */
export interface CurrentMembership {
  organization: Pick<Organization, 'id' | 'slug' | 'name' | 'fields'>
  /** Those of the member; may have roles that the option no longer names, which permit nothing. */
  roles: readonly MemberRole[]
  /** Whether one of them gives this permission. */
  can(permission: PermissionInside): boolean
}

/** Hooks for your own routes that are about an organization. */
export interface OrganizationHooks {
  /**
   * Lets in members of the organization that the request names, by the path parameter `organization` or the option `of`; with a
   * permission, those whose roles there give it. Membership is read with each request, and again if the body arrives later or the
   * hook is called later. Programs need a `requireScope` before it: a service account is let in as a member, a key of a person only
   * where the key's `resource` is the id of the organization. Staff get in as members alone.
   *
   * Without a login the response is 401 ACCOUNTS_LOGIN_REQUIRED; for those who are no members, or without such an organization, 404
   * ACCOUNTS_NOT_FOUND; for members without the permission 403 ACCOUNTS_FORBIDDEN.
   * @throws Error for an unknown permission. A route that lists the hook and whose path lacks the parameter fails when it is
   * registered, unless there is `of`; below `addHook`, its requests are 404
   */
  requireMember(permission?: PermissionInside): OrganizationHook
  /**
   * What the last `requireMember` of a request has found.
   * @throws AccountsError ACCOUNTS_NOT_FOUND if none has run, or somebody else has logged in since
   */
  membershipOf(request: AnyRequest): CurrentMembership
}

export function createHooks(
  { organizations, settings }: Pick<Parts, 'organizations' | 'settings'>,
  visitors: Visitors,
): OrganizationHooks {
  const slot = createRequestSlot<{ userId: string; membership: CurrentMembership }>(
    'organizations.membership',
  )
  const permissions = permissionNames(settings)

  /** @throws AccountsError ACCOUNTS_NOT_FOUND */
  async function find(visitor: Visitor, request: AnyRequest): Promise<CurrentMembership> {
    const key = keyOf(settings.of(request))
    const found = key && (await organizations.findFor(key, visitor.user.id))
    if (!found?.membership || !mayAct(visitor, found.organization))
      throw new AccountsError('ACCOUNTS_NOT_FOUND')
    return current(found.organization, found.membership)
  }
  function current({ id, slug, name, fields }: Organization, { roles }: Membership): CurrentMembership {
    const permissions = permissionsOf(roles, settings.roles)
    return {
      organization: { id, slug, name, fields },
      roles: roles as readonly MemberRole[],
      can: (permission) => gives(permissions, permission),
    }
  }
  return {
    requireMember(permission) {
      if (permission !== undefined && !permissions.includes(permission))
        throw new Error(
          `@fastify-accounts/organizations: requireMember must name a permission of the option roles, or one of ours: ${permissions.join(', ')}; got ${String(permission)}`,
        )
      return visitors.hook(
        async (visitor, request) => {
          const membership = await find(visitor, request).catch((error: unknown) => {
            slot.set(request, undefined)
            throw error
          })
          slot.set(request, { userId: visitor.user.id, membership })
          if (permission !== undefined && !membership.can(permission))
            throw new AccountsError('ACCOUNTS_FORBIDDEN', { reason: 'missing_permission' })
        },
        settings.of === byParameter ? checkParameter : undefined,
      )
    },
    membershipOf(request) {
      const found = slot.get(request)
      // A later hook, or `logIn`, may have found somebody else.
      if (found === undefined || found.userId !== visitors.of(request)?.user.id)
        throw new AccountsError('ACCOUNTS_NOT_FOUND')
      return found.membership
    },
  }
}

/** Keys of a person act in an organization only if they were made for it, those of a program wherever it is a member. */
function mayAct({ key, isService }: Visitor, { id }: Pick<Organization, 'id'>): boolean {
  if (key === null) return true
  return key.resource === null ? isService : key.resource === id
}

function checkParameter(path: string): void {
  if (!/:organization(?![\w])/.test(path))
    throw new Error(
      `@fastify-accounts/organizations: requireMember needs the parameter organization in the path ${path}, or the option of, which says what organization a request is about`,
    )
}

/** The app's own, and those of this package. */
function permissionNames({ roles }: Parts['settings']): readonly string[] {
  const own = Object.values(roles).flat()
  return [...new Set([...memberPermissions, ...own])].filter((each) => each !== everyPermission)
}
