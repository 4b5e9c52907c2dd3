/**
 * Organizations with members, roles and invitations.
 *
 * @module organizations
 */

import { type Feature, guard, invitationMail, lostOnRestart } from 'fastify-accounts/features'
import { planDeletion } from './deletion.js'
import { exportMemberships } from './export-memberships.js'
import { organizationHost } from './host.js'
import { invitationTarget } from './invitations/invitation-target.js'
import './names.js'
import './operations.js'
import { pageFacts } from './page-facts.js'
import { createParts } from './parts.js'
import type { MemberRoles } from './roles.js'
import { routesOf } from './routes.js'
import { fail, type OrganizationsOptions } from './settings.js'
import { de, en, fr } from './texts.js'

export type { CurrentMembership, OrganizationHook, OrganizationHooks } from './hooks.js'
export type {
  HostMember,
  HostMemberInvitation,
  HostMembership,
  HostOrganization,
  HostOrganizations,
  OrganizationPageQuery,
} from './host/host-organizations.js'
export {
  type MemberPermission,
  type MemberRole,
  type MemberRoles,
  memberPermissions,
  type PermissionInside,
  type Register,
} from './roles.js'
export type { OrganizationsOptions } from './settings.js'
export * from './store.js'

const minute = 60_000
const hour = 60 * minute

/**
 * Organizations: a feature of fastify-accounts, for its option `features`. People belong to organizations, with roles there; each
 * request says which organization it is about, and membership is read anew with it.
 * @throws Error with one line that names the option
 */
export function organizations<const Given extends MemberRoles = MemberRoles>(
  options: OrganizationsOptions<Given> = {},
): Feature {
  const parts = createParts(options)
  const { store } = options
  return {
    name: 'organizations',
    texts: { en, de, fr },
    limits: {
      createOrganization: { max: 20, window: hour },
      changeOrganization: { max: 60, window: minute },
      inviteMember: { max: 50, window: hour },
      resendMemberInvitation: { max: 100, window: hour },
    },
    mails: {
      'organization-invitation': invitationMail,
      'organization-invitation-known': invitationMail,
    },
    events: [
      'organization.created',
      'organization.updated',
      'organization.deleted',
      'member.added',
      'member.roles_changed',
      'member.removed',
    ],
    ...(store && {
      stores: { 'organization store': store },
      async inspect(deadline: number) {
        // An id that no organization has.
        await guard(store, { find: 'reads' }, deadline).find({ id: 'org_' })
        return []
      },
    }),
    check() {
      if (process.env.NODE_ENV === 'production' && store === undefined) fail('store', lostOnRestart)
    },
    deletion: (user, core) => planDeletion({ ...core, ...parts.started(core) }, user),
    export: (user, core) => exportMemberships({ ...core, ...parts.of(core) }, user),
    host: (core) => organizationHost(parts.of(core)),
    invitationTarget: (core) => invitationTarget(core, parts.of(core)),
    pageFacts: (core) => pageFacts(parts.of(core)),
    routes: (core) => ({ auth: routesOf(core, parts.of(core)) }),
  }
}
