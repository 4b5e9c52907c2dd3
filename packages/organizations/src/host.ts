import type { HostCall, JsonValue } from 'fastify-accounts'
import { AccountsError } from 'fastify-accounts'
import {
  type FeatureHost,
  findAccount,
  foundOrNull,
  type HostOperations,
  hostCall,
} from 'fastify-accounts/features'
import { createHooks, type OrganizationHooks } from './hooks.js'
import { findInside } from './membership/inside.js'
import { createOrganization } from './organization/create-organization.js'
import type { Parts } from './parts.js'
import type { Organization } from './store/organization-store.js'

/** An organization as your app's own code sees it. */
export type HostOrganization = Omit<Organization, 'owners' | 'version'>

/** `app.accounts.organizations`: hooks for your routes, and calls for your own code. */
export interface HostOrganizations extends OrganizationHooks {
  /**
   * Creates an organization whose only member and owner is this user. Doesn't ask `authorize.createOrganization`.
   * @throws AccountsError ACCOUNTS_NOT_FOUND without such a user, ACCOUNTS_NOT_VERIFIED if their address isn't proven,
   * ACCOUNTS_INVALID_INPUT, ACCOUNTS_CONFLICT
   */
  create(
    input: {
      name: string
      slug: string
      fields?: { [name: string]: JsonValue } | undefined
      ownerId: string
    },
    call?: HostCall,
  ): Promise<HostOrganization>
  /**
   * Finds an organization; `null` if there is none.
   * @param organization for this and the methods below: its id or its slug
   */
  find(organization: string, call?: HostCall): Promise<HostOrganization | null>
}

export function organizationHost(parts: Parts): FeatureHost {
  return {
    calls: { organizations: organizationCalls(parts) },
    hooks: (visitors) => ({ organizations: createHooks(parts, visitors) }),
  }
}

function organizationCalls(parts: Parts): HostOperations<HostOrganizations> {
  return {
    create: hostCall(
      'create-organization',
      [null],
      (core) =>
        async ({ ownerId, ...input }) => {
          const owner = await findAccount(core, ownerId)
          if (owner === null) throw new AccountsError('ACCOUNTS_NOT_FOUND')
          const { organization } = await createOrganization({ ...core, ...parts }, 'host', owner, input)
          return viewOf(organization)
        },
      (_organization, { ownerId }) => ownerId,
    ),
    find: hostCall(
      'show-organization',
      ['organization'],
      (core) => async (name) => {
        const found = await foundOrNull(() => findInside({ ...core, ...parts }, 'host', name))
        return found && viewOf(found.organization)
      },
      ofNobody,
    ),
  }
}

/** What is about an organization is about no account. `null` and `false` if there is none. */
const ofNobody = (result: unknown): null | undefined =>
  result === null || result === false ? undefined : null

function viewOf({ id, slug, name, fields, createdAt, members }: Organization): HostOrganization {
  return { id, slug, name, fields, createdAt, members }
}
