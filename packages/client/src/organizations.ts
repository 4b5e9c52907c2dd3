// Written from the routes of the plugin: `npm run routes`.

import type { CallOptions, ClientOptions } from './exchange.js'
import { requestsTo } from './request.js'
import type { Result } from './result.js'
import type {
  Detail,
  Member,
  MemberInvitation,
  MemberInvitationList,
  MemberList,
  Organization,
  OrganizationList,
  OwnInvitation,
  OwnInvitationList,
  OwnOrganization,
  OwnOrganizationList,
} from './wire.js'

export { cursorOf } from './cursor.js'
export type {
  Detail,
  Member,
  MemberInvitation,
  MemberInvitationList,
  MemberList,
  Organization,
  OrganizationList,
  OwnInvitation,
  OwnInvitationList,
  OwnOrganization,
  OwnOrganizationList,
} from './wire.js'

/** One method for each route, named like its operation in the OpenAPI document. docs/routes.md describes them. */
export interface OrganizationsClient {
  createOrganization(
    body: { name: string; slug: string; fields?: object },
    call?: CallOptions,
  ): Promise<Result<Organization, 201>>
  listOrganizations(query?: { cursor?: string }, call?: CallOptions): Promise<Result<OrganizationList, 200>>
  listOwnOrganizations(
    query?: { cursor?: string },
    call?: CallOptions,
  ): Promise<Result<OwnOrganizationList, 200>>
  showOrganization(organization: string, call?: CallOptions): Promise<Result<Organization, 200>>
  updateOrganization(
    organization: string,
    body: { name?: string; slug?: string; fields?: object },
    call?: CallOptions,
  ): Promise<Result<Organization, 200>>
  deleteOrganization(organization: string, call?: CallOptions): Promise<Result<undefined, 204>>
  listMembers(
    organization: string,
    query?: { cursor?: string },
    call?: CallOptions,
  ): Promise<Result<MemberList, 200>>
  addMember(
    organization: string,
    body: { user_id: string; roles: string[] },
    call?: CallOptions,
  ): Promise<Result<Member, 201>>
  changeMemberRoles(
    organization: string,
    user: string,
    body: { roles: string[] },
    call?: CallOptions,
  ): Promise<Result<Member, 200>>
  removeMember(organization: string, user: string, call?: CallOptions): Promise<Result<undefined, 204>>
  leaveOrganization(organization: string, call?: CallOptions): Promise<Result<undefined, 204>>
  inviteMember(
    organization: string,
    body: { email: string; roles: string[] },
    call?: CallOptions,
  ): Promise<Result<Detail, 202>>
  listMemberInvitations(
    organization: string,
    query?: { cursor?: string },
    call?: CallOptions,
  ): Promise<Result<MemberInvitationList, 200>>
  resendMemberInvitation(
    organization: string,
    id: string,
    call?: CallOptions,
  ): Promise<Result<undefined, 204>>
  withdrawMemberInvitation(
    organization: string,
    id: string,
    call?: CallOptions,
  ): Promise<Result<undefined, 204>>
  listOwnInvitations(query?: { cursor?: string }, call?: CallOptions): Promise<Result<OwnInvitationList, 200>>
  acceptOwnInvitation(id: string, call?: CallOptions): Promise<Result<OwnOrganization, 200>>
  declineInvitation(id: string, call?: CallOptions): Promise<Result<undefined, 204>>
}

/** A client of one service. Takes the options of `createAccountsClient`. */
export function createOrganizationsClient(options: ClientOptions = {}): OrganizationsClient {
  const auth = requestsTo(options, options.authPrefix)
  return {
    createOrganization: (body, call) => auth('POST', 'organizations /organizations/', call, body),
    listOrganizations: (query, call) =>
      auth('GET', 'organizations /organizations/', call, undefined, {}, query),
    listOwnOrganizations: (query, call) =>
      auth('GET', 'own-organizations /me/organizations/', call, undefined, {}, query),
    showOrganization: (organization, call) =>
      auth('GET', 'organization /organizations/{organization}', call, undefined, { organization }),
    updateOrganization: (organization, body, call) =>
      auth('PATCH', 'organization /organizations/{organization}', call, body, { organization }),
    deleteOrganization: (organization, call) =>
      auth('DELETE', 'organization /organizations/{organization}', call, undefined, { organization }),
    listMembers: (organization, query, call) =>
      auth('GET', 'members /organizations/{organization}/members/', call, undefined, { organization }, query),
    addMember: (organization, body, call) =>
      auth('POST', 'members /organizations/{organization}/members/', call, body, { organization }),
    changeMemberRoles: (organization, user, body, call) =>
      auth('PATCH', 'member /organizations/{organization}/members/{user}', call, body, {
        organization,
        user,
      }),
    removeMember: (organization, user, call) =>
      auth('DELETE', 'member /organizations/{organization}/members/{user}', call, undefined, {
        organization,
        user,
      }),
    leaveOrganization: (organization, call) =>
      auth('POST', 'leave-organization /organizations/{organization}/leave/', call, undefined, {
        organization,
      }),
    inviteMember: (organization, body, call) =>
      auth('POST', 'member-invitations /organizations/{organization}/invitations/', call, body, {
        organization,
      }),
    listMemberInvitations: (organization, query, call) =>
      auth(
        'GET',
        'member-invitations /organizations/{organization}/invitations/',
        call,
        undefined,
        { organization },
        query,
      ),
    resendMemberInvitation: (organization, id, call) =>
      auth(
        'POST',
        'member-invitation-send /organizations/{organization}/invitations/{pk}/send/',
        call,
        undefined,
        { organization, pk: id },
      ),
    withdrawMemberInvitation: (organization, id, call) =>
      auth('DELETE', 'member-invitation /organizations/{organization}/invitations/{pk}', call, undefined, {
        organization,
        pk: id,
      }),
    listOwnInvitations: (query, call) =>
      auth('GET', 'own-invitations /me/invitations/', call, undefined, {}, query),
    acceptOwnInvitation: (id, call) =>
      auth('POST', 'own-invitation-accept /me/invitations/{pk}/accept/', call, undefined, { pk: id }),
    declineInvitation: (id, call) =>
      auth('POST', 'own-invitation-decline /me/invitations/{pk}/decline/', call, undefined, { pk: id }),
  }
}
