import type { Invitation } from 'fastify-accounts'
import {
  foundOrNull,
  type HostOperations,
  hostCall,
  isFound,
  type MountCore,
} from 'fastify-accounts/features'
import { inviteMember } from '../invitations/invite-member.js'
import { listMemberInvitations } from '../invitations/list-member-invitations.js'
import type { Gives } from '../invitations/roles-of.js'
import { withdrawMemberInvitation } from '../invitations/withdraw-member-invitation.js'
import type { OrganizationDeps, Parts } from '../parts.js'
import type { MemberRole } from '../roles.js'
import { readCallPage } from './call-page.js'
import type { HostMemberInvitation, HostOrganizations } from './host-organizations.js'
import { ofNobody } from './shown.js'

/** Calls about invitations: `HostOrganizations` says what each does. */
export function invitationCalls(parts: Parts): HostOperations<HostOrganizations> {
  const depsOf = (core: MountCore): OrganizationDeps => ({ ...core, ...parts })
  return {
    invite: hostCall(
      'invite-member',
      ['organization', null],
      (core) => async (name, input) => shownInvitation(await inviteMember(depsOf(core), 'host', name, input)),
      () => null,
    ),
    listInvitations: hostCall(
      'list-member-invitations',
      ['organization', null],
      (core) => (name, query) =>
        foundOrNull(async () => {
          const { results, next } = await readCallPage(core, `host invitations to ${name}`, query, (after) =>
            listMemberInvitations(depsOf(core), 'host', name, after),
          )
          return { invitations: results.map(shownInvitation), next }
        }),
      ofNobody,
    ),
    withdrawInvitation: hostCall(
      'withdraw-member-invitation',
      ['organization', 'invitationId'],
      (core) => (name, id) => isFound(() => withdrawMemberInvitation(depsOf(core), 'host', name, id)),
      ofNobody,
    ),
  }
}

function shownInvitation(invitation: Invitation): HostMemberInvitation {
  const { id, email, gives, inviterId, createdAt, expiresAt } = invitation
  return {
    ...{ id, email, roles: (gives as Gives).roles as readonly MemberRole[], inviterId },
    ...{ invitedAt: createdAt, expiresAt },
  }
}
