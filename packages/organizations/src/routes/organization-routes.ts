import {
  createListCursor,
  cursorQuery,
  type FeatureCore,
  foundOrNull,
  noReply,
  ownRecord,
  type Route,
  readPage,
  route,
} from 'fastify-accounts/features'
import { findInside } from '../membership/inside.js'
import { createOrganization } from '../organization/create-organization.js'
import { deleteOrganization } from '../organization/delete-organization.js'
import { listOrganizations } from '../organization/list-organizations.js'
import { listOwnOrganizations } from '../organization/list-own-organizations.js'
import { shownListedOrganization, shownOrganization } from '../organization/shown-organization.js'
import { shownOwnOrganization } from '../organization/shown-own-organization.js'
import { updateOrganization } from '../organization/update-organization.js'
import type { Parts } from '../parts.js'
import {
  organizationListReply,
  organizationParams,
  organizationReply,
  ownOrganizationListReply,
} from '../schemas.js'
import { changesBody, newBody, withoutSameFields } from './organization-bodies.js'

/** Organizations themselves. */
export function organizationRoutes(core: FeatureCore, parts: Parts): Route[] {
  return [
    listRoute(core, parts),
    createRoute(parts),
    ownRoute(core, parts),
    showRoute(parts),
    updateRoute(parts),
    deleteRoute(parts),
  ]
}

function listRoute({ options }: FeatureCore, parts: Parts): Route {
  const positions = createListCursor(options.secret)
  return route({
    name: 'organizations',
    action: 'list-organizations',
    method: 'GET',
    path: '/organizations/',
    operation: {
      id: 'listOrganizations',
      host: 'organizations.list()',
      summary:
        'List all organizations, with a role of the app that lets you see them. The list ends when `next` is null',
      errors: ['ACCOUNTS_FORBIDDEN', 'ACCOUNTS_THROTTLED'],
    },
    access: 'logged-in',
    budget: null,
    schema: { querystring: cursorQuery, response: { 200: organizationListReply } },
    async handle({ query, who }, core) {
      const { results, next } = await readPage(positions, 'organizations', query.cursor, (after) =>
        listOrganizations({ ...core, ...parts }, who.user, after),
      )
      const nextUrl = next && `${core.where.url('organizations')}?cursor=${next}`
      return { body: { results: results.map(shownListedOrganization), next: nextUrl } }
    },
  })
}

function createRoute(parts: Parts): Route {
  return route({
    name: 'organizations',
    action: 'create-organization',
    method: 'POST',
    path: '/organizations/',
    operation: {
      id: 'createOrganization',
      host: 'organizations.create()',
      summary: 'Create an organization, whose owner you are',
      asks: [],
      errors: ['ACCOUNTS_NOT_VERIFIED', 'ACCOUNTS_FORBIDDEN', 'ACCOUNTS_CONFLICT', 'ACCOUNTS_THROTTLED'],
    },
    access: 'logged-in',
    budget: null,
    schema: { body: newBody(parts.settings), response: { 201: organizationReply } },
    async handle({ body, who }, core) {
      const owner = await ownRecord(core, who.user)
      await core.throttle.spend('createOrganization', owner.id)
      const inside = await createOrganization({ ...core, ...parts }, owner, owner, body)
      return { status: 201, body: shownOrganization(inside) }
    },
  })
}

function ownRoute({ options }: FeatureCore, parts: Parts): Route {
  const positions = createListCursor(options.secret)
  return route({
    name: 'own-organizations',
    action: 'list-own-organizations',
    method: 'GET',
    path: '/me/organizations/',
    operation: {
      id: 'listOwnOrganizations',
      host: 'organizations.listOfUser()',
      summary:
        'List the organizations that you belong to, with your roles there. The list ends when `next` is null',
    },
    access: 'logged-in',
    budget: null,
    schema: { querystring: cursorQuery, response: { 200: ownOrganizationListReply } },
    async handle({ query, who: { user } }, core) {
      const list = `own organizations ${user.id}`
      const { results, next } = await readPage(positions, list, query.cursor, (after) =>
        listOwnOrganizations(parts, user.id, after),
      )
      const shown = results.map((each) => shownOwnOrganization(each, parts.settings.roles))
      const nextUrl = next && `${core.where.url('own-organizations')}?cursor=${next}`
      return { body: { results: shown, next: nextUrl } }
    },
  })
}

function showRoute(parts: Parts): Route {
  return route({
    name: 'organization',
    action: 'show-organization',
    method: 'GET',
    path: '/organizations/:organization',
    operation: {
      id: 'showOrganization',
      host: 'organizations.find()',
      summary: 'Show an organization to its members',
      errors: ['ACCOUNTS_NOT_FOUND'],
    },
    access: 'logged-in',
    budget: null,
    schema: { params: organizationParams, response: { 200: organizationReply } },
    async handle({ params, who }, core) {
      const inside = await findInside({ ...core, ...parts }, who.user, params.organization)
      return { body: shownOrganization(inside) }
    },
  })
}

function updateRoute(parts: Parts): Route {
  return route({
    name: 'organization',
    action: 'update-organization',
    method: 'PATCH',
    path: '/organizations/:organization',
    operation: {
      id: 'updateOrganization',
      host: 'organizations.update()',
      summary: 'Change the name, the slug or custom fields of an organization',
      asks: [],
      errors: ['ACCOUNTS_NOT_FOUND', 'ACCOUNTS_FORBIDDEN', 'ACCOUNTS_CONFLICT', 'ACCOUNTS_THROTTLED'],
    },
    access: 'logged-in',
    budget: null,
    schema: {
      params: organizationParams,
      body: changesBody(parts.settings),
      response: { 200: organizationReply },
    },
    resource: {
      reply: organizationReply,
      show: ({ params, who }, core) =>
        foundOrNull(async () =>
          shownOrganization(await findInside({ ...core, ...parts }, who.user, params.organization)),
        ),
      compared: withoutSameFields,
    },
    async handle({ params, body, who }, core) {
      const inside = await updateOrganization({ ...core, ...parts }, who.user, params.organization, body)
      return { body: shownOrganization(inside) }
    },
  })
}

function deleteRoute(parts: Parts): Route {
  return route({
    name: 'organization',
    action: 'delete-organization',
    method: 'DELETE',
    path: '/organizations/:organization',
    operation: {
      id: 'deleteOrganization',
      host: 'organizations.delete()',
      summary: 'Delete an organization, with its memberships and its open invitations',
      errors: ['ACCOUNTS_NOT_FOUND', 'ACCOUNTS_FORBIDDEN', 'ACCOUNTS_CONFLICT'],
    },
    access: 'confirmed',
    budget: null,
    schema: { params: organizationParams, response: { 204: noReply } },
    async handle({ params, who }, core) {
      await deleteOrganization({ ...core, ...parts }, who.user, params.organization)
      return {}
    },
  })
}
