import {
  createListCursor,
  cursorQuery,
  type FeatureCore,
  noReply,
  ownRecord,
  type Route,
  readPage,
  route,
} from 'fastify-accounts/features'
import { acceptOwnInvitation } from '../invitations/accept-own-invitation.js'
import { declineInvitation } from '../invitations/decline-invitation.js'
import { listOwnInvitations } from '../invitations/list-own-invitations.js'
import { shownOwnInvitation } from '../invitations/shown-own-invitation.js'
import { shownOwnOrganization } from '../organization/shown-own-organization.js'
import type { Parts } from '../parts.js'
import { ownInvitationListReply, ownInvitationParams, ownOrganizationReply } from '../schemas.js'

/** Invitations to organizations, for the invited person. */
export function ownInvitationRoutes(core: FeatureCore, parts: Parts): Route[] {
  return [listRoute(core, parts), acceptRoute(parts), declineRoute(parts)]
}

function listRoute({ options }: FeatureCore, parts: Parts): Route {
  const positions = createListCursor(options.secret)
  return route({
    name: 'own-invitations',
    action: 'list-own-invitations',
    method: 'GET',
    path: '/me/invitations/',
    operation: {
      id: 'listOwnInvitations',
      host: 'choice',
      summary:
        'List the invitations to organizations that you can accept, once your address is proven. The list ends when `next` is null',
      errors: ['ACCOUNTS_THROTTLED'],
    },
    access: 'logged-in',
    budget: null,
    schema: { querystring: cursorQuery, response: { 200: ownInvitationListReply } },
    async handle({ query, who }, core) {
      const user = await ownRecord(core, who.user)
      const { results, next } = await readPage(
        positions,
        `own invitations ${user.id}`,
        query.cursor,
        (after) => listOwnInvitations({ ...core, ...parts }, user, after),
      )
      const url = core.where.url('own-invitations')
      return { body: { results: results.map(shownOwnInvitation), next: next && `${url}?cursor=${next}` } }
    },
  })
}

function acceptRoute(parts: Parts): Route {
  return route({
    name: 'own-invitation-accept',
    action: 'accept-own-invitation',
    method: 'POST',
    path: '/me/invitations/:pk/accept/',
    operation: {
      id: 'acceptOwnInvitation',
      host: 'choice',
      asks: [],
      summary: 'Accept an invitation to an organization',
      errors: ['ACCOUNTS_NOT_FOUND', 'ACCOUNTS_NOT_VERIFIED', 'ACCOUNTS_FORBIDDEN', 'ACCOUNTS_CONFLICT'],
    },
    access: 'logged-in',
    budget: null,
    schema: { params: ownInvitationParams, response: { 200: ownOrganizationReply } },
    async handle({ params: { pk }, who }, core) {
      const deps = { ...core, ...parts }
      const accepted = await acceptOwnInvitation(deps, await ownRecord(core, who.user), pk)
      return { body: shownOwnOrganization(accepted, parts.settings.roles) }
    },
  })
}

function declineRoute(parts: Parts): Route {
  return route({
    name: 'own-invitation-decline',
    action: 'decline-invitation',
    method: 'POST',
    path: '/me/invitations/:pk/decline/',
    operation: {
      id: 'declineInvitation',
      host: 'choice',
      asks: [],
      summary: 'Decline an invitation to an organization, whose link stops working at once',
      errors: ['ACCOUNTS_NOT_FOUND', 'ACCOUNTS_NOT_VERIFIED', 'ACCOUNTS_CONFLICT'],
    },
    access: 'logged-in',
    budget: null,
    schema: { params: ownInvitationParams, response: { 204: noReply } },
    async handle({ params: { pk }, who }, core) {
      await declineInvitation({ ...core, ...parts }, await ownRecord(core, who.user), pk)
      return {}
    },
  })
}
