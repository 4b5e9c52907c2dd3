import type { FeatureCore, Route } from 'fastify-accounts/features'
import { claimRoutes } from './claim-routes.js'
import { confirmRoutes } from './confirm-routes.js'
import type { Services } from './deps.js'
import { identityRoutes } from './identity-routes.js'
import { loginRoutes } from './login-routes.js'
import { mailedRoutes } from './mailed-routes.js'

export function providerRoutes(core: FeatureCore, services: Services): Route[] {
  return [loginRoutes, mailedRoutes, claimRoutes, confirmRoutes, identityRoutes].flatMap((make) =>
    make(core, services),
  )
}
