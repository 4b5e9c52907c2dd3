import type { TObject } from '@sinclair/typebox'
import { propertiesOf, withOptional, writableOf } from '../../http/input/field-schemas.js'
import { type RolesBody, rolesBody } from '../../http/input/roles-body.js'
import { cursorQuery } from '../../http/input/schemas.js'
import { detailReply, noReply } from '../../http/output/schemas.js'
import { type Route, route } from '../../http/route.js'
import type { Invitation } from '../../seams/invitation-store.js'
import { createListCursor, readPage } from '../../tokens/list-cursor.js'
import { accountUser, type UserFields } from '../../user.js'
import { checkMayInvite } from '../../users/invitations/check-may-invite.js'
import type { FeatureCore } from '../feature.js'
import { invite } from './invite.js'
import { listedInvitation } from './invited/listed-invitation.js'
import { listInvitations } from './list-invitations.js'
import { resendInvitation } from './resend-invitation.js'
import { invitationListReply, invitationParams, inviteBody } from './schemas.js'
import { withdrawInvitation } from './withdraw-invitation.js'

/** Invitations, for those who may invite, where staff have routes for users. */
export function staffInvitationRoutes(core: FeatureCore, lifetime: number): Route[] {
  const { users } = core.options
  if (users === false || users.variant === 'signup') return []
  return [listRoute(core), inviteRoute(core, lifetime), sendRoute(lifetime), withdrawRoute]
}

function listRoute({ options }: FeatureCore): Route {
  const positions = createListCursor(options.secret)
  return route({
    name: 'invitations',
    action: 'list-invitations',
    method: 'GET',
    path: '/invitations/',
    operation: {
      id: 'listInvitations',
      summary: 'List your own open invitations; for staff, all. The list ends when `next` is null',
      authorize: ['invite'],
      errors: ['ACCOUNTS_THROTTLED'],
    },
    access: 'logged-in',
    budget: null,
    schema: { querystring: cursorQuery, response: { 200: invitationListReply } },
    async handle({ query, who }, deps) {
      const { invitations, next } = await readPage(positions, 'invitations', query.cursor, (after) =>
        listInvitations(deps, accountUser(who.user), after),
      )
      const nextUrl = next && `${deps.where.url('invitations')}?cursor=${next}`
      return { body: { results: invitations.map((each) => shown(each, options)), next: nextUrl } }
    },
  })
}

function inviteRoute({ options }: FeatureCore, lifetime: number): Route {
  return route({
    name: 'invitations',
    action: 'invite',
    method: 'POST',
    path: '/invitations/',
    operation: {
      id: 'invite',
      summary: 'Invite somebody. The response is the same whether or not the address has an account',
      authorize: ['invite'],
      errors: ['ACCOUNTS_THROTTLED'],
    },
    access: 'confirmed',
    budget: null,
    schema: { body: bodyOf(options), response: { 202: detailReply } },
    async handle({ body, who }, deps) {
      const actor = accountUser(who.user)
      // Before the budget: who may not invite spends none.
      await checkMayInvite(deps, actor, body.roles ?? [])
      await deps.throttle.spend('invite', actor.id)
      await invite(deps, actor, body, lifetime)
      return { status: 202, message: 'invited' }
    },
  })
}

function bodyOf({ fields, roles }: FeatureCore['options']) {
  const own = {
    type: 'object',
    properties: writableOf(fields),
    required: (fields?.required ?? []).filter((name) => Object.hasOwn(writableOf(fields), name)),
    additionalProperties: false,
    description: 'Custom fields of the account',
  }
  const hasFields = Object.keys(propertiesOf(fields)).length > 0
  const body = withOptional(inviteBody, {
    ...(hasFields && { fields: own }),
    ...rolesBody(roles, 'Roles that the invitation gives'),
  })
  return body as TObject & { static: { email: string; fields?: UserFields } & RolesBody }
}

function sendRoute(lifetime: number): Route {
  return route({
    name: 'invitation-send',
    action: 'resend-invitation',
    method: 'POST',
    path: '/invitations/:pk/send/',
    operation: {
      id: 'resendInvitation',
      summary: 'Send an invitation again, with a new link; the earlier one ends',
      authorize: ['invite'],
      errors: ['ACCOUNTS_NOT_FOUND', 'ACCOUNTS_THROTTLED'],
    },
    access: 'confirmed',
    budget: null,
    schema: { params: invitationParams, response: { 204: noReply } },
    async handle({ params: { pk }, who }, deps) {
      await resendInvitation(deps, accountUser(who.user), pk, lifetime)
      return {}
    },
  })
}

const withdrawRoute = route({
  name: 'invitation-detail',
  action: 'withdraw-invitation',
  method: 'DELETE',
  path: '/invitations/:pk',
  operation: {
    id: 'withdrawInvitation',
    summary: 'Withdraw an invitation, whose link stops working at once',
    authorize: ['invite'],
    errors: ['ACCOUNTS_NOT_FOUND'],
  },
  access: 'confirmed',
  budget: null,
  schema: { params: invitationParams, response: { 204: noReply } },
  async handle({ params: { pk }, who }, deps) {
    await withdrawInvitation(deps, accountUser(who.user), pk)
    return {}
  },
})

function shown(invitation: Invitation, options: Pick<FeatureCore['options'], 'roles'>): object {
  return { ...listedInvitation(invitation, options), inviter_id: invitation.inviterId }
}
