// Written from the routes of the plugin: `npm run routes`.

import type { DetailJson, Performed } from 'fastify-accounts/features'

export type ListedOrganizationJson = Omit<OrganizationJson, 'roles' | 'permissions'>

export interface MemberChangeJson {
  roles: string[]
}

export interface MemberInvitationJson {
  id: string
  email: string
  roles: string[]
  inviter_id: string | null
  invited_at: string
  expires_at: string
}

export interface MemberInvitationListJson {
  results: MemberInvitationJson[]
  next: string | null
}

export interface MemberInvitationRequestJson {
  email: string
  roles: string[]
}

export interface NewMemberJson {
  user_id: string
  roles: string[]
}

export interface NewOrganizationJson {
  name: string
  slug: string
  fields?: Record<string, unknown>
}

export interface OrganizationJson {
  id: string
  slug: string
  name: string
  fields: Record<string, unknown>
  created_at: string
  members: number
  roles: string[]
  permissions: string[]
}

export type OrganizationChangeJson = Partial<NewOrganizationJson>

export interface OrganizationListJson {
  results: ListedOrganizationJson[]
  next: string | null
}

export interface OrganizationMemberJson {
  user_id: string
  kind: 'person' | 'service'
  username: string | null
  email: string | null
  roles: string[]
  since: string
}

export interface OrganizationMemberListJson {
  results: OrganizationMemberJson[]
  next: string | null
}

export interface OwnInvitationJson {
  id: string
  organization: { id: string; name: string }
  roles: string[]
  invited_by: string | null
  invited_at: string
  expires_at: string
}

export interface OwnInvitationListJson {
  results: OwnInvitationJson[]
  next: string | null
}

export interface OwnOrganizationJson {
  id: string
  slug: string
  name: string
  roles: string[]
  permissions: string[]
  since: string
}

export interface OwnOrganizationListJson {
  results: OwnOrganizationJson[]
  next: string | null
}

declare module 'fastify-accounts' {
  interface FeatureOperations<Fields = undefined> {
    listOrganizations(input?: { query?: { cursor?: string } }): Performed<200, OrganizationListJson>
    createOrganization(input: { body: NewOrganizationJson }): Performed<201, OrganizationJson>
    listOwnOrganizations(input?: { query?: { cursor?: string } }): Performed<200, OwnOrganizationListJson>
    showOrganization(input: { params: { organization: string } }): Performed<200, OrganizationJson>
    updateOrganization(input: {
      params: { organization: string }
      body: OrganizationChangeJson
    }): Performed<200, OrganizationJson>
    deleteOrganization(input: { params: { organization: string } }): Performed<204, undefined>
    listMembers(input: {
      params: { organization: string }
      query?: { cursor?: string }
    }): Performed<200, OrganizationMemberListJson>
    addMember(input: {
      params: { organization: string }
      body: NewMemberJson
    }): Performed<201, OrganizationMemberJson>
    changeMemberRoles(input: {
      params: { organization: string; user: string }
      body: MemberChangeJson
    }): Performed<200, OrganizationMemberJson>
    removeMember(input: { params: { organization: string; user: string } }): Performed<204, undefined>
    leaveOrganization(input: { params: { organization: string } }): Performed<204, undefined>
    listMemberInvitations(input: {
      params: { organization: string }
      query?: { cursor?: string }
    }): Performed<200, MemberInvitationListJson>
    inviteMember(input: {
      params: { organization: string }
      body: MemberInvitationRequestJson
    }): Performed<202, DetailJson>
    resendMemberInvitation(input: { params: { organization: string; pk: string } }): Performed<204, undefined>
    withdrawMemberInvitation(input: {
      params: { organization: string; pk: string }
    }): Performed<204, undefined>
    listOwnInvitations(input?: { query?: { cursor?: string } }): Performed<200, OwnInvitationListJson>
    acceptOwnInvitation(input: { params: { pk: string } }): Performed<200, OwnOrganizationJson>
    declineInvitation(input: { params: { pk: string } }): Performed<204, undefined>
  }
}
