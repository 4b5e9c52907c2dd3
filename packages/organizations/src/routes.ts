import { ownRecord, type Route, route } from 'fastify-accounts/features'
import { findInside } from './membership/inside.js'
import { createOrganization } from './organization/create-organization.js'
import { shownOrganization } from './organization/shown-organization.js'
import type { Parts } from './parts.js'
import { newOrganizationBody, organizationParams, organizationReply } from './schemas.js'

/** Organizations, for those who are logged in. */
export function organizationRoutes(parts: Parts): Route[] {
  return [createRoute(parts), showRoute(parts)]
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
      errors: ['ACCOUNTS_NOT_VERIFIED', 'ACCOUNTS_FORBIDDEN', 'ACCOUNTS_CONFLICT', 'ACCOUNTS_THROTTLED'],
    },
    access: 'logged-in',
    budget: null,
    schema: { body: newOrganizationBody, response: { 201: organizationReply } },
    async handle({ body, who }, core) {
      const deps = { ...core, ...parts }
      await core.throttle.spend('createOrganization', who.user.id)
      const inside = await createOrganization(deps, await ownRecord(core, who.user), body)
      return { status: 201, body: shownOrganization(inside) }
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
