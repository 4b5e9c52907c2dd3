// Written from the routes of the plugin: `npm run routes`.

import type { CallOptions, ClientOptions } from './exchange.js'
import { requestsTo } from './request.js'
import type { Result } from './result.js'
import type {
  Detail,
  MemberChange,
  MemberInvitationList,
  MemberInvitationRequest,
  NewMember,
  NewOrganization,
  Organization,
  OrganizationChange,
  OrganizationList,
  OrganizationMember,
  OrganizationMemberList,
  OwnInvitationList,
  OwnOrganization,
  OwnOrganizationList,
} from './wire.js'

export { cursorOf } from './cursor.js'
export type {
  Detail,
  ListedOrganization,
  MemberChange,
  MemberInvitation,
  MemberInvitationList,
  MemberInvitationRequest,
  NewMember,
  NewOrganization,
  Organization,
  OrganizationChange,
  OrganizationList,
  OrganizationMember,
  OrganizationMemberList,
  OwnInvitation,
  OwnInvitationList,
  OwnOrganization,
  OwnOrganizationList,
} from './wire.js'

/** One method for each route, named like its operation in the OpenAPI document. docs/routes.md describes them. */
export interface OrganizationsClient {
  /**
   * GET /organizations/: list all organizations, with a role of the app that lets you see them. The list ends when
   * `next` is null.
   */
  listOrganizations(
    query?: { cursor?: string },
    options?: CallOptions,
  ): Promise<Result<OrganizationList, 200>>
  /** POST /organizations/: create an organization, whose owner you are. */
  createOrganization(body: NewOrganization, options?: CallOptions): Promise<Result<Organization, 201>>
  /**
   * GET /me/organizations/: list the organizations that you belong to, with your roles there. The list ends when
   * `next` is null.
   */
  listOwnOrganizations(
    query?: { cursor?: string },
    options?: CallOptions,
  ): Promise<Result<OwnOrganizationList, 200>>
  /** GET /organizations/{organization}: show an organization to its members. */
  showOrganization(organization: string, options?: CallOptions): Promise<Result<Organization, 200>>
  /** PATCH /organizations/{organization}: change the name, the slug or custom fields of an organization. */
  updateOrganization(
    organization: string,
    body: OrganizationChange,
    options?: CallOptions,
  ): Promise<Result<Organization, 200>>
  /**
   * DELETE /organizations/{organization}: delete an organization, with its memberships and its open invitations.
   * Requires a recent login.
   */
  deleteOrganization(organization: string, options?: CallOptions): Promise<Result<undefined, 204>>
  /**
   * GET /organizations/{organization}/members/: list the members of an organization. The list ends when `next` is
   * null.
   */
  listMembers(
    organization: string,
    query?: { cursor?: string },
    options?: CallOptions,
  ): Promise<Result<OrganizationMemberList, 200>>
  /**
   * POST /organizations/{organization}/members/: add a member without an invitation, with a role of the app that
   * lets you manage organizations. Requires a recent login.
   */
  addMember(
    organization: string,
    body: NewMember,
    options?: CallOptions,
  ): Promise<Result<OrganizationMember, 201>>
  /** PATCH /organizations/{organization}/members/{user}: change the roles of a member. Requires a recent login. */
  changeMemberRoles(
    organization: string,
    user: string,
    body: MemberChange,
    options?: CallOptions,
  ): Promise<Result<OrganizationMember, 200>>
  /**
   * DELETE /organizations/{organization}/members/{user}: remove a member, who loses access at once. Requires a
   * recent login.
   */
  removeMember(organization: string, user: string, options?: CallOptions): Promise<Result<undefined, 204>>
  /** POST /organizations/{organization}/leave/: leave an organization. */
  leaveOrganization(organization: string, options?: CallOptions): Promise<Result<undefined, 204>>
  /**
   * GET /organizations/{organization}/invitations/: list your own open invitations to an organization; with
   * `members:edit`, all. The list ends when `next` is null.
   */
  listMemberInvitations(
    organization: string,
    query?: { cursor?: string },
    options?: CallOptions,
  ): Promise<Result<MemberInvitationList, 200>>
  /**
   * POST /organizations/{organization}/invitations/: invite somebody to an organization. The response is the same
   * whether or not the address has an account. Requires a recent login.
   */
  inviteMember(
    organization: string,
    body: MemberInvitationRequest,
    options?: CallOptions,
  ): Promise<Result<Detail, 202>>
  /**
   * POST /organizations/{organization}/invitations/{pk}/send/: send an invitation to an organization again, with a
   * new link; the earlier one ends. Requires a recent login.
   */
  resendMemberInvitation(
    organization: string,
    id: string,
    options?: CallOptions,
  ): Promise<Result<undefined, 204>>
  /**
   * DELETE /organizations/{organization}/invitations/{pk}: withdraw an invitation to an organization, whose link
   * stops working at once. Requires a recent login.
   */
  withdrawMemberInvitation(
    organization: string,
    id: string,
    options?: CallOptions,
  ): Promise<Result<undefined, 204>>
  /**
   * GET /me/invitations/: list the invitations to organizations that you can accept, once your address is proven.
   * The list ends when `next` is null.
   */
  listOwnInvitations(
    query?: { cursor?: string },
    options?: CallOptions,
  ): Promise<Result<OwnInvitationList, 200>>
  /** POST /me/invitations/{pk}/accept/: accept an invitation to an organization. */
  acceptOwnInvitation(id: string, options?: CallOptions): Promise<Result<OwnOrganization, 200>>
  /**
   * POST /me/invitations/{pk}/decline/: decline an invitation to an organization, whose link stops working at
   * once.
   */
  declineInvitation(id: string, options?: CallOptions): Promise<Result<undefined, 204>>
}

/** A client of one service. Takes the options of `createAccountsClient`. */
export function createOrganizationsClient(options: ClientOptions = {}): OrganizationsClient {
  const auth = requestsTo(options, options.authPrefix)
  return {
    listOrganizations: (query, call) =>
      auth('GET', 'organizations /organizations/', call, undefined, {}, query),
    createOrganization: (body, call) => auth('POST', 'organizations /organizations/', call, body),
    listOwnOrganizations: (query, call) =>
      auth('GET', 'own-organizations /me/organizations/', call, undefined, {}, query),
    showOrganization: (organization, call) =>
      auth('GET', 'organization /organizations/{organization}', call, undefined, { organization }),
    updateOrganization: (organization, body, call) =>
      auth('PATCH', 'organization /organizations/{organization}', call, body, { organization }),
    deleteOrganization: (organization, call) =>
      auth('DELETE', 'organization /organizations/{organization}', call, undefined, { organization }),
    listMembers: (organization, query, call) =>
      auth(
        'GET',
        'organization-members /organizations/{organization}/members/',
        call,
        undefined,
        { organization },
        query,
      ),
    addMember: (organization, body, call) =>
      auth('POST', 'organization-members /organizations/{organization}/members/', call, body, {
        organization,
      }),
    changeMemberRoles: (organization, user, body, call) =>
      auth('PATCH', 'organization-member /organizations/{organization}/members/{user}', call, body, {
        organization,
        user,
      }),
    removeMember: (organization, user, call) =>
      auth('DELETE', 'organization-member /organizations/{organization}/members/{user}', call, undefined, {
        organization,
        user,
      }),
    leaveOrganization: (organization, call) =>
      auth('POST', 'leave-organization /organizations/{organization}/leave/', call, undefined, {
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
    inviteMember: (organization, body, call) =>
      auth('POST', 'member-invitations /organizations/{organization}/invitations/', call, body, {
        organization,
      }),
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
