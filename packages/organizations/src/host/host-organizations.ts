import type { HostCall } from 'fastify-accounts'
import type { OrganizationHooks } from '../hooks.js'
import type { NewOrganization } from '../organization/create-organization.js'
import type { OrganizationChanges } from '../organization/update-organization.js'
import type { MemberRole } from '../roles.js'
import type { Organization } from '../store/organization-store.js'

/** An organization as your app's own code sees it. */
export type HostOrganization = Omit<Organization, 'owners' | 'version'>

/** A member of an organization as your app's own code sees them. */
export interface HostMember {
  userId: string
  /** `service` for a service account. */
  kind: 'person' | 'service'
  username: string | null
  email: string | null
  /** May have roles that the option no longer names, which permit nothing. */
  roles: readonly MemberRole[]
  since: Date
}

/** An organization that a user belongs to. */
export interface HostMembership {
  organization: HostOrganization
  roles: readonly MemberRole[]
  since: Date
}

/** An open invitation to an organization as your app's own code sees it. */
export interface HostMemberInvitation {
  id: string
  email: string
  /** May have roles that the option no longer names, which permit nothing. */
  roles: readonly MemberRole[]
  /** The id of the member who invited; `null` for your app's own code. */
  inviterId: string | null
  invitedAt: Date
  expiresAt: Date
}

/** Which page of a list: `next` of the page before. Default: the first one. */
export interface OrganizationPageQuery {
  cursor?: string | undefined
}

/**
 * `app.accounts.organizations`: hooks for your own routes, and calls for your own code, which may do everything. `organization` is
 * always an id or a slug. Lists have a hundred entries a page; `next` is the `cursor` of the page after it, `null` on the last one.
 */
export interface HostOrganizations extends OrganizationHooks {
  /**
   * Creates an organization, whose only member and owner is this user. Doesn't ask `authorize.createOrganization`.
   * @throws AccountsError ACCOUNTS_NOT_FOUND without such a user; ACCOUNTS_NOT_VERIFIED if their address isn't proven;
   * ACCOUNTS_INVALID_INPUT; ACCOUNTS_CONFLICT: `slug_taken`, `too_many_organizations`
   */
  create(input: NewOrganization & { ownerId: string }, call?: HostCall): Promise<HostOrganization>
  /** `null` if there is none. */
  find(organization: string, call?: HostCall): Promise<HostOrganization | null>
  /** All organizations, the oldest first. */
  list(
    query?: OrganizationPageQuery,
    call?: HostCall,
  ): Promise<{ organizations: HostOrganization[]; next: string | null }>
  /**
   * Changes name, slug and own fields; `null` if there is no such organization.
   * @throws AccountsError ACCOUNTS_INVALID_INPUT; ACCOUNTS_CONFLICT: `slug_taken`, `changed_meanwhile`
   */
  update(
    organization: string,
    changes: OrganizationChanges,
    call?: HostCall,
  ): Promise<HostOrganization | null>
  /**
   * Deletes an organization with its memberships and open invitations. Resolves to whether there was one.
   * @throws AccountsError ACCOUNTS_CONFLICT: `changed_meanwhile`
   */
  delete(organization: string, call?: HostCall): Promise<boolean>
  /** The members, the oldest first; `null` if there is no such organization. */
  listMembers(
    organization: string,
    query?: OrganizationPageQuery,
    call?: HostCall,
  ): Promise<{ members: HostMember[]; next: string | null } | null>
  /**
   * Adds a user or service account without an invitation.
   * @throws AccountsError ACCOUNTS_NOT_FOUND without such an organization; ACCOUNTS_INVALID_INPUT, also without such an account;
   * ACCOUNTS_NOT_VERIFIED if the address of the account isn't proven; ACCOUNTS_CONFLICT: `already_member`, `organization_full`,
   * `too_many_organizations`, `changed_meanwhile`
   */
  addMember(
    organization: string,
    userId: string,
    roles: readonly MemberRole[],
    call?: HostCall,
  ): Promise<HostMember>
  /**
   * Gives a member other roles: all that they have from then on. `null` if there is no such member.
   * @throws AccountsError ACCOUNTS_INVALID_INPUT; ACCOUNTS_CONFLICT: `last_owner`, `changed_meanwhile`
   */
  changeMemberRoles(
    organization: string,
    userId: string,
    roles: readonly MemberRole[],
    call?: HostCall,
  ): Promise<HostMember | null>
  /**
   * Removes a member, who loses access with the next request. Resolves to whether there was one.
   * @throws AccountsError ACCOUNTS_CONFLICT: `last_owner`, `changed_meanwhile`
   */
  removeMember(organization: string, userId: string, call?: HostCall): Promise<boolean>
  /** The organizations of a user or service account, the oldest membership first; `null` if there is no such account. */
  listOfUser(
    userId: string,
    query?: OrganizationPageQuery,
    call?: HostCall,
  ): Promise<{ memberships: HostMembership[]; next: string | null } | null>
  /**
   * Invites an address, whether or not it has an account. A second invitation by the app's own code replaces the first one.
   * @throws AccountsError ACCOUNTS_NOT_FOUND, ACCOUNTS_INVALID_INPUT, ACCOUNTS_THROTTLED if the address got too many emails;
   * ACCOUNTS_CONFLICT: `too_many_invitations`, `being_accepted`, `changed_meanwhile`
   */
  invite(
    organization: string,
    input: { email: string; roles: readonly MemberRole[] },
    call?: HostCall,
  ): Promise<HostMemberInvitation>
  /** The open invitations, the oldest first; `null` if there is no such organization. */
  listInvitations(
    organization: string,
    query?: OrganizationPageQuery,
    call?: HostCall,
  ): Promise<{ invitations: HostMemberInvitation[]; next: string | null } | null>
  /**
   * Withdraws an invitation, which can't be accepted afterwards. Resolves to whether there was one.
   * @throws AccountsError ACCOUNTS_CONFLICT: `being_accepted`, `already_accepted`, `changed_meanwhile`
   */
  withdrawInvitation(organization: string, invitationId: string, call?: HostCall): Promise<boolean>
}
