import type { FeatureCore, Route } from 'fastify-accounts/features'
import type { Parts } from './parts.js'
import { invitationRoutes } from './routes/invitation-routes.js'
import { memberRoutes } from './routes/member-routes.js'
import { organizationRoutes } from './routes/organization-routes.js'
import { ownInvitationRoutes } from './routes/own-invitation-routes.js'

/** Organizations and who belongs to them, for those who are logged in. */
export function routesOf(core: FeatureCore, parts: Parts): Route[] {
  return [
    ...organizationRoutes(core, parts),
    ...memberRoutes(core, parts),
    ...invitationRoutes(core, parts),
    ...ownInvitationRoutes(core, parts),
  ]
}
