import {
  createListCursor,
  cursorQuery,
  type FeatureCore,
  foundOrNull,
  noReply,
  type Route,
  readPage,
  route,
} from 'fastify-accounts/features'
import { addMember } from '../membership/add-member.js'
import { changeMemberRoles } from '../membership/change-member-roles.js'
import { findMember } from '../membership/find-member.js'
import { findInside } from '../membership/inside.js'
import { leaveOrganization } from '../membership/leave-organization.js'
import { listMembers, memberOf } from '../membership/list-members.js'
import { removeMember } from '../membership/remove-member.js'
import { shownMember } from '../membership/shown-member.js'
import type { Parts } from '../parts.js'
import {
  memberChangesBody,
  memberListReply,
  memberParams,
  memberReply,
  newMemberBody,
  organizationParams,
} from '../schemas.js'
import { withRoles } from './with-roles.js'

/** Who belongs to an organization. */
export function memberRoutes(core: FeatureCore, parts: Parts): Route[] {
  return [
    listRoute(core, parts),
    addRoute(parts),
    changeRolesRoute(parts),
    removeRoute(parts),
    leaveRoute(parts),
  ]
}

function listRoute({ options }: FeatureCore, parts: Parts): Route {
  const positions = createListCursor(options.secret)
  return route({
    name: 'organization-members',
    action: 'list-members',
    method: 'GET',
    path: '/organizations/:organization/members/',
    operation: {
      id: 'listMembers',
      host: 'organizations.listMembers()',
      summary: 'List the members of an organization. The list ends when `next` is null',
      errors: ['ACCOUNTS_NOT_FOUND', 'ACCOUNTS_THROTTLED'],
    },
    access: 'logged-in',
    budget: null,
    schema: { params: organizationParams, querystring: cursorQuery, response: { 200: memberListReply } },
    async handle({ params: { organization }, query, who }, core) {
      const list = `members ${organization}`
      const { results, next } = await readPage(positions, list, query.cursor, (after) =>
        listMembers({ ...core, ...parts }, who.user, organization, after),
      )
      const url = core.where.url('organization-members', { organization })
      return { body: { results: results.map(shownMember), next: next && `${url}?cursor=${next}` } }
    },
  })
}

function addRoute(parts: Parts): Route {
  return route({
    name: 'organization-members',
    action: 'add-member',
    method: 'POST',
    path: '/organizations/:organization/members/',
    operation: {
      id: 'addMember',
      host: 'organizations.addMember()',
      summary:
        'Add a member without an invitation, with a role of the app that lets you manage organizations',
      asks: [],
      errors: [
        ...(['ACCOUNTS_NOT_FOUND', 'ACCOUNTS_FORBIDDEN'] as const),
        ...(['ACCOUNTS_NOT_VERIFIED', 'ACCOUNTS_CONFLICT'] as const),
      ],
    },
    access: 'confirmed',
    budget: null,
    schema: {
      params: organizationParams,
      body: withRoles(newMemberBody, parts.settings),
      response: { 201: memberReply },
    },
    async handle({ params, body, who, client }, core) {
      const deps = { ...core, ...parts }
      const { user_id: userId, roles } = body
      const membership = await addMember(deps, who.user, params.organization, userId, roles)
      client.note({ user: { id: userId } })
      return { status: 201, body: shownMember(await memberOf(deps, membership)) }
    },
  })
}

function changeRolesRoute(parts: Parts): Route {
  return route({
    name: 'organization-member',
    action: 'change-member-roles',
    method: 'PATCH',
    path: '/organizations/:organization/members/:user',
    operation: {
      id: 'changeMemberRoles',
      host: 'organizations.changeMemberRoles()',
      summary: 'Change the roles of a member',
      asks: [],
      errors: ['ACCOUNTS_NOT_FOUND', 'ACCOUNTS_FORBIDDEN', 'ACCOUNTS_CONFLICT', 'ACCOUNTS_THROTTLED'],
    },
    access: 'confirmed',
    budget: null,
    schema: {
      params: memberParams,
      body: withRoles(memberChangesBody, parts.settings),
      response: { 200: memberReply },
    },
    resource: {
      reply: memberReply,
      show: ({ params: { organization, user }, who }, core) =>
        foundOrNull(async () => {
          const deps = { ...core, ...parts }
          const inside = await findInside(deps, who.user, organization)
          return shownMember(await memberOf(deps, await findMember(deps, inside, user)))
        }),
    },
    async handle({ params: { organization, user }, body, who, client }, core) {
      const deps = { ...core, ...parts }
      const membership = await changeMemberRoles(deps, who.user, organization, user, body.roles)
      client.note({ user: { id: user } })
      return { body: shownMember(await memberOf(deps, membership)) }
    },
  })
}

function removeRoute(parts: Parts): Route {
  return route({
    name: 'organization-member',
    action: 'remove-member',
    method: 'DELETE',
    path: '/organizations/:organization/members/:user',
    operation: {
      id: 'removeMember',
      host: 'organizations.removeMember()',
      summary: 'Remove a member, who loses access at once',
      errors: ['ACCOUNTS_NOT_FOUND', 'ACCOUNTS_FORBIDDEN', 'ACCOUNTS_CONFLICT'],
    },
    access: 'confirmed',
    budget: null,
    schema: { params: memberParams, response: { 204: noReply } },
    async handle({ params: { organization, user }, who, client }, core) {
      await removeMember({ ...core, ...parts }, who.user, organization, user)
      client.note({ user: { id: user } })
      return {}
    },
  })
}

function leaveRoute(parts: Parts): Route {
  return route({
    name: 'leave-organization',
    action: 'leave-organization',
    method: 'POST',
    path: '/organizations/:organization/leave/',
    operation: {
      id: 'leaveOrganization',
      host: 'organizations.removeMember()',
      summary: 'Leave an organization',
      asks: [],
      errors: ['ACCOUNTS_NOT_FOUND', 'ACCOUNTS_CONFLICT'],
    },
    access: 'logged-in',
    budget: null,
    schema: { params: organizationParams, response: { 204: noReply } },
    async handle({ params, who }, core) {
      await leaveOrganization({ ...core, ...parts }, who.user, params.organization)
      return {}
    },
  })
}
