import { type FeatureRoutes, staffResetRoutes } from 'fastify-accounts/features'
import { confirmRoutes } from './confirm-routes.js'
import type { PasskeyDeps } from './deps.js'
import { loginRoutes } from './login-routes.js'
import { ownRoutes } from './own-routes.js'
import { signUpRoutes } from './sign-up-routes.js'

export function passkeyRoutes(deps: PasskeyDeps): FeatureRoutes {
  const { features, options } = deps
  const { users } = options
  return {
    auth: [...ownRoutes(deps), ...confirmRoutes(deps), ...loginRoutes(deps)],
    users: [
      // If sign-up under /signup/ is off, so is sign-up with a passkey.
      ...(users === false || users.variant === 'user' ? [] : signUpRoutes(deps)),
      // The second factor has the same for staff.
      ...(features.has('second-factor') ? [] : staffResetRoutes(deps, 'passkey-removed')),
    ],
  }
}
