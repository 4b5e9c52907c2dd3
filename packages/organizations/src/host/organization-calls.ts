import { AccountsError } from 'fastify-accounts'
import {
  findAccount,
  foundOrNull,
  type HostOperations,
  hostCall,
  isFound,
  type MountCore,
} from 'fastify-accounts/features'
import { findInside } from '../membership/inside.js'
import { createOrganization } from '../organization/create-organization.js'
import { deleteOrganization } from '../organization/delete-organization.js'
import { listOrganizations } from '../organization/list-organizations.js'
import { listOwnOrganizations } from '../organization/list-own-organizations.js'
import { updateOrganization } from '../organization/update-organization.js'
import type { OrganizationDeps, Parts } from '../parts.js'
import { readCallPage } from './call-page.js'
import type { HostOrganizations } from './host-organizations.js'
import { ofNobody, shown, shownMembership } from './shown.js'

/** Calls about organizations themselves: `HostOrganizations` says what each does. */
export function organizationCalls(parts: Parts): HostOperations<HostOrganizations> {
  const depsOf = (core: MountCore): OrganizationDeps => ({ ...core, ...parts })
  return {
    create: hostCall(
      'create-organization',
      [null],
      (core) =>
        async ({ ownerId, ...input }) => {
          const owner = typeof ownerId === 'string' ? await findAccount(core, ownerId) : null
          if (owner === null) throw new AccountsError('ACCOUNTS_NOT_FOUND')
          const inside = await createOrganization(depsOf(core), 'host', owner, input)
          return shown(inside.organization)
        },
      (_organization, { ownerId }) => ownerId,
    ),
    find: hostCall(
      'show-organization',
      ['organization'],
      (core) => (name) =>
        foundOrNull(async () => shown((await findInside(depsOf(core), 'host', name)).organization)),
      ofNobody,
    ),
    list: hostCall(
      'list-organizations',
      [null],
      (core) => async (query) => {
        const { results, next } = await readCallPage(core, 'host organizations', query, (after) =>
          listOrganizations(depsOf(core), 'host', after),
        )
        return { organizations: results.map(shown), next }
      },
      ofNobody,
    ),
    update: hostCall(
      'update-organization',
      ['organization', null],
      (core) => (name, changes) =>
        foundOrNull(async () =>
          shown((await updateOrganization(depsOf(core), 'host', name, changes)).organization),
        ),
      ofNobody,
    ),
    delete: hostCall(
      'delete-organization',
      ['organization'],
      (core) => (name) => isFound(() => deleteOrganization(depsOf(core), 'host', name)),
      ofNobody,
    ),
    listOfUser: hostCall('list-own-organizations', ['userId', null], (core) => async (userId, query) => {
      if ((await findAccount(core, userId)) === null) return null
      const { results, next } = await readCallPage(core, `host organizations of ${userId}`, query, (after) =>
        listOwnOrganizations(parts, userId, after),
      )
      return { memberships: results.map(shownMembership), next }
    }),
  }
}
