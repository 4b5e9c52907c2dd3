import type { PageRoute } from 'fastify-accounts/features'
import { accountRoutes } from './account/routes.js'
import { entranceRoutes } from './entrance/routes.js'
import { linkRoutes } from './links/routes.js'
import { organizationRoutes } from './organizations/routes.js'
import { withOwnUrl } from './own-url.js'
import { signUpRoutes } from './sign-up/routes.js'
import type { Site } from './site.js'
import { wayRoutes } from './ways/routes.js'

/** The pages of what is on. */
export function routesOf(site: Site): PageRoute[] {
  return [
    ...entranceRoutes(site),
    ...signUpRoutes(site),
    ...accountRoutes(site),
    ...wayRoutes(site),
    ...organizationRoutes(site),
    ...linkRoutes(site),
  ].map(withOwnUrl)
}
