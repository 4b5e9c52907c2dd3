import type { FeatureRoutes } from 'fastify-accounts/features'
import { confirmRoutes } from './confirm-routes.js'
import type { PasskeyDeps } from './deps.js'
import { loginRoutes } from './login-routes.js'
import { ownRoutes } from './own-routes.js'
import { signUpRoutes } from './sign-up-routes.js'

export function passkeyRoutes(deps: PasskeyDeps): FeatureRoutes {
  const { users } = deps.options
  return {
    auth: [...ownRoutes(deps), ...confirmRoutes(deps), ...loginRoutes(deps)],
    // If sign-up under /signup/ is off, so is sign-up with a passkey.
    users: users === false || users.variant === 'user' ? [] : signUpRoutes(deps),
  }
}
