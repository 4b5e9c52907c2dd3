import type { FeatureCore, Route } from 'fastify-accounts/features'
import { appRoutes } from './app-routes.js'
import { appStartRoutes } from './app-start-routes.js'
import { claimRoutes } from './claim-routes.js'
import { confirmRoutes } from './confirm-routes.js'
import type { Services } from './deps.js'
import { idTokenRoutes } from './id-token-routes.js'
import { identityRoutes } from './identity-routes.js'
import { loginRoutes } from './login-routes.js'
import { mailedRoutes } from './mailed-routes.js'
import type { ProvidersOptions } from './provider.js'

export function providerRoutes(
  core: FeatureCore,
  services: Services,
  { appRedirectUris = [] }: ProvidersOptions,
): Route[] {
  const forBrowsers = [loginRoutes, mailedRoutes, claimRoutes, confirmRoutes, identityRoutes]
  const takesTokens = [...services.issuers.values()].some(({ provider }) => provider.appAudiences)
  return [
    ...[...forBrowsers, ...(takesTokens ? [idTokenRoutes] : [])].flatMap((make) => make(core, services)),
    ...(appRedirectUris.length > 0
      ? [...appStartRoutes(core, services, appRedirectUris), ...appRoutes(core, services)]
      : []),
  ]
}
