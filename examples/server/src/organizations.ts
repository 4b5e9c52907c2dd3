import {
  type OrganizationStore,
  type OrganizationsOptions,
  organizations,
} from '@fastify-accounts/organizations'
import type { FastifyInstance } from 'fastify'

/** What each role permits inside an organization: docs/guides/organizations.md. */
const memberRoles = {
  owner: ['org:*'],
  admin: ['org:edit', 'members:invite', 'members:edit', 'projects:read', 'projects:write'],
  member: ['projects:read'],
} as const

declare module '@fastify-accounts/organizations' {
  interface Register {
    roles: typeof memberRoles
  }
}

type Feature = ReturnType<typeof organizations>

export const organizationsIn = (store: OrganizationStore): Feature =>
  organizations({ roles: memberRoles, store } satisfies OrganizationsOptions<typeof memberRoles>)

/** A route of the app itself about an organization, for those of its members who may see its projects. */
export function mountProjects(app: FastifyInstance): void {
  const { requireMember, membershipOf } = app.accounts.organizations
  app.get(
    '/api/organizations/:organization/projects',
    { onRequest: requireMember('projects:read') },
    async (request) => {
      const { organization, can } = membershipOf(request)
      // An app would read the rows that have this id.
      return { organization: organization.slug, may_write: can('projects:write'), projects: [] }
    },
  )
}
