import {
  foundOrNull,
  type HostOperations,
  hostCall,
  isFound,
  type MountCore,
} from 'fastify-accounts/features'
import { addMember } from '../membership/add-member.js'
import { changeMemberRoles } from '../membership/change-member-roles.js'
import { listMembers, memberOf } from '../membership/list-members.js'
import { removeMember } from '../membership/remove-member.js'
import type { OrganizationDeps, Parts } from '../parts.js'
import { readCallPage } from './call-page.js'
import type { HostOrganizations } from './host-organizations.js'
import { ofNobody, shownMember } from './shown.js'

/** Calls about members: `HostOrganizations` says what each does. */
export function memberCalls(parts: Parts): HostOperations<HostOrganizations> {
  const depsOf = (core: MountCore): OrganizationDeps => ({ ...core, ...parts })
  return {
    listMembers: hostCall(
      'list-members',
      ['organization', null],
      (core) => (name, query) =>
        foundOrNull(async () => {
          const { results, next } = await readCallPage(core, `host members of ${name}`, query, (after) =>
            listMembers(depsOf(core), 'host', name, after),
          )
          return { members: results.map(shownMember), next }
        }),
      ofNobody,
    ),
    addMember: hostCall(
      'add-member',
      ['organization', 'userId', null],
      (core) => async (name, userId, roles) => {
        const membership = await addMember(depsOf(core), 'host', name, userId, roles)
        return shownMember(await memberOf(core, membership))
      },
      (_member, _organization, userId) => userId,
    ),
    changeMemberRoles: hostCall(
      'change-member-roles',
      ['organization', 'userId', null],
      (core) => (name, userId, roles) =>
        foundOrNull(async () => {
          const membership = await changeMemberRoles(depsOf(core), 'host', name, userId, roles)
          return shownMember(await memberOf(core, membership))
        }),
      (member) => member?.userId,
    ),
    removeMember: hostCall(
      'remove-member',
      ['organization', 'userId'],
      (core) => (name, userId) => isFound(() => removeMember(depsOf(core), 'host', name, userId)),
      (isRemoved, _organization, userId) => (isRemoved ? userId : undefined),
    ),
  }
}
