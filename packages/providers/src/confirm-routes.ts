import type { Route } from 'fastify-accounts/features'
import { loggedInUser, ownRecord } from 'fastify-accounts/features'
import { checkMayConfirm } from './confirm-with.js'
import type { ProviderDeps } from './deps.js'
import { loginOf } from './flow-login.js'
import { goToProvider, issuerOf } from './go-to-provider.js'
import { checkNext } from './next.js'
import { confirmErrors, startErrors } from './route-errors.js'
import { type LinkBody, linkBody, locationReply, type ProviderParams, providerParams } from './schemas.js'

/** Confirmation: a logged-in user logs in again at a linked provider. */
export function confirmRoutes(deps: ProviderDeps): Route[] {
  return [
    {
      name: 'confirm-with',
      action: 'confirm-with',
      method: 'POST',
      path: '/confirm/with/:provider/',
      operation: {
        id: 'confirmWith',
        summary: 'Confirm the login by logging in again with another provider',
        errors: [...startErrors, ...confirmErrors],
        redirects: true,
      },
      access: 'logged-in',
      isOpenToEnroll: true,
      budget: 'loginWith',
      schema: { params: providerParams, body: linkBody, response: { 200: locationReply } },
      async handler(request, reply) {
        const { provider } = request.params as ProviderParams
        const { next } = request.body as LinkBody
        const issuer = issuerOf(deps, provider)
        checkMayConfirm(await ownRecord(deps, loggedInUser(request)), issuer)
        const about = { next: checkNext(deps.options, next), remember: false, login: loginOf(request) }
        return goToProvider(deps, issuer, request, reply, { ...about, purpose: 'confirm' })
      },
    },
  ]
}
