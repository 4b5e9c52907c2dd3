import {
  createListCursor,
  cursorQuery,
  detailReply,
  type FeatureCore,
  noReply,
  type Route,
  readPage,
  route,
} from 'fastify-accounts/features'
import { inviteMember } from '../invitations/invite-member.js'
import { listMemberInvitations } from '../invitations/list-member-invitations.js'
import { resendMemberInvitation } from '../invitations/resend-member-invitation.js'
import { shownMemberInvitation } from '../invitations/shown-member-invitation.js'
import { withdrawMemberInvitation } from '../invitations/withdraw-member-invitation.js'
import type { Parts } from '../parts.js'
import {
  memberInvitationBody,
  memberInvitationListReply,
  memberInvitationParams,
  organizationParams,
} from '../schemas.js'
import { withRoles } from './with-roles.js'

/** Invitations to an organization, for its members. */
export function invitationRoutes(core: FeatureCore, parts: Parts): Route[] {
  return [listRoute(core, parts), inviteRoute(parts), sendRoute(parts), withdrawRoute(parts)]
}

function listRoute({ options }: FeatureCore, parts: Parts): Route {
  const positions = createListCursor(options.secret)
  return route({
    name: 'member-invitations',
    action: 'list-member-invitations',
    method: 'GET',
    path: '/organizations/:organization/invitations/',
    operation: {
      id: 'listMemberInvitations',
      host: 'organizations.listInvitations()',
      summary:
        'List your own open invitations to an organization; with `members:edit`, all. The list ends when `next` is null',
      errors: ['ACCOUNTS_NOT_FOUND', 'ACCOUNTS_FORBIDDEN', 'ACCOUNTS_THROTTLED'],
    },
    access: 'logged-in',
    budget: null,
    schema: {
      params: organizationParams,
      querystring: cursorQuery,
      response: { 200: memberInvitationListReply },
    },
    async handle({ params: { organization }, query, who }, core) {
      const list = `member invitations ${organization}`
      const { results, next } = await readPage(positions, list, query.cursor, (after) =>
        listMemberInvitations({ ...core, ...parts }, who.user, organization, after),
      )
      const url = core.where.url('member-invitations', { organization })
      return { body: { results: results.map(shownMemberInvitation), next: next && `${url}?cursor=${next}` } }
    },
  })
}

function inviteRoute(parts: Parts): Route {
  return route({
    name: 'member-invitations',
    action: 'invite-member',
    method: 'POST',
    path: '/organizations/:organization/invitations/',
    operation: {
      id: 'inviteMember',
      host: 'organizations.invite()',
      summary:
        'Invite somebody to an organization. The response is the same whether or not the address has an account',
      errors: ['ACCOUNTS_NOT_FOUND', 'ACCOUNTS_FORBIDDEN', 'ACCOUNTS_CONFLICT', 'ACCOUNTS_THROTTLED'],
    },
    access: 'confirmed',
    budget: null,
    schema: {
      params: organizationParams,
      body: withRoles(memberInvitationBody, parts.settings),
      response: { 202: detailReply },
    },
    async handle({ params: { organization }, body, who }, core) {
      await inviteMember({ ...core, ...parts }, who.user, organization, body)
      return { status: 202, message: 'invited' }
    },
  })
}

function sendRoute(parts: Parts): Route {
  return route({
    name: 'member-invitation-send',
    action: 'resend-member-invitation',
    method: 'POST',
    path: '/organizations/:organization/invitations/:pk/send/',
    operation: {
      id: 'resendMemberInvitation',
      host: 'organizations.invite()',
      summary: 'Send an invitation to an organization again, with a new link; the earlier one ends',
      errors: ['ACCOUNTS_NOT_FOUND', 'ACCOUNTS_FORBIDDEN', 'ACCOUNTS_CONFLICT', 'ACCOUNTS_THROTTLED'],
    },
    access: 'confirmed',
    budget: null,
    schema: { params: memberInvitationParams, response: { 204: noReply } },
    async handle({ params: { organization, pk }, who }, core) {
      await resendMemberInvitation({ ...core, ...parts }, who.user, organization, pk)
      return {}
    },
  })
}

function withdrawRoute(parts: Parts): Route {
  return route({
    name: 'member-invitation',
    action: 'withdraw-member-invitation',
    method: 'DELETE',
    path: '/organizations/:organization/invitations/:pk',
    operation: {
      id: 'withdrawMemberInvitation',
      host: 'organizations.withdrawInvitation()',
      summary: 'Withdraw an invitation to an organization, whose link stops working at once',
      errors: ['ACCOUNTS_NOT_FOUND', 'ACCOUNTS_FORBIDDEN', 'ACCOUNTS_CONFLICT'],
    },
    access: 'confirmed',
    budget: null,
    schema: { params: memberInvitationParams, response: { 204: noReply } },
    async handle({ params: { organization, pk }, who }, core) {
      await withdrawMemberInvitation({ ...core, ...parts }, who.user, organization, pk)
      return {}
    },
  })
}
