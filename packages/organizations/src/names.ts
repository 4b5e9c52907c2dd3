import type { Limit } from 'fastify-accounts'
import type { HostOrganizations } from './host/host-organizations.js'
import type { en } from './texts.js'

declare module 'fastify-accounts' {
  interface FeatureActions {
    'create-organization': 'organizations'
    'list-organizations': 'organizations'
    'list-own-organizations': 'own-organizations'
    'show-organization': 'organization'
    'update-organization': 'organization'
    'delete-organization': 'organization'
    'list-members': 'organization-members'
    'add-member': 'organization-members'
    'change-member-roles': 'organization-member'
    'remove-member': 'organization-member'
    'leave-organization': 'leave-organization'
    'invite-member': 'member-invitations'
    'list-member-invitations': 'member-invitations'
    'resend-member-invitation': 'member-invitation-send'
    'withdraw-member-invitation': 'member-invitation'
    'list-own-invitations': 'own-invitations'
    'accept-own-invitation': 'own-invitation-accept'
    'decline-invitation': 'own-invitation-decline'
  }
  interface FeatureMails {
    'organization-invitation': true
    'organization-invitation-known': true
  }
  interface FeatureEvents {
    'organization.created': { organization_id: string }
    /** The names of what has changed: `name`, `slug`, and own fields. */
    'organization.updated': { organization_id: string; fields: string[] }
    'organization.deleted': { organization_id: string }
    /** The user of these is the member. */
    'member.added': { organization_id: string; roles: string[] }
    'member.roles_changed': { organization_id: string; added: string[]; removed: string[] }
    'member.removed': { organization_id: string }
  }
  interface FeatureCalls {
    /** Organizations: hooks for your own routes, and calls. */
    organizations: HostOrganizations
  }
  interface FeatureTexts {
    organizations: typeof en
  }
  interface AccountLimits {
    /** Organizations created per user. Default 20 an hour. */
    createOrganization: Limit
    /** Changes of organizations, and of members who get more roles, per user. Default 60 a minute. */
    changeOrganization: Limit
    /** Invitations to organizations per inviter. Default 50 an hour. */
    inviteMember: Limit
    /** Invitations to organizations sent again per user. Default 100 an hour. */
    resendMemberInvitation: Limit
  }
}
