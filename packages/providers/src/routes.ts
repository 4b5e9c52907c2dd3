import type { FeatureRoutes } from 'fastify-accounts/features'
import { claimRoutes } from './claim-routes.js'
import { confirmRoutes } from './confirm-routes.js'
import type { ProviderDeps } from './deps.js'
import { identityRoutes } from './identity-routes.js'
import { loginRoutes } from './login-routes.js'
import { mailedRoutes } from './mailed-routes.js'

export function providerRoutes(deps: ProviderDeps): Required<FeatureRoutes>['auth'] {
  return [
    ...[...loginRoutes(deps), ...mailedRoutes(deps), ...claimRoutes(deps)],
    ...[...confirmRoutes(deps), ...identityRoutes(deps)],
  ]
}
