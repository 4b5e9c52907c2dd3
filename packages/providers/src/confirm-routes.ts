import { type FeatureCore, ownRecord, type Route, route } from 'fastify-accounts/features'
import { checkMayConfirm } from './confirm-with.js'
import type { Services } from './deps.js'
import { loginOf } from './flow-owner.js'
import { goToProvider, issuerOf } from './go-to-provider.js'
import { checkNext } from './next.js'
import { confirmErrors, startErrors } from './route-errors.js'
import { linkBody, locationReply, providerParams } from './schemas.js'

/** Confirmation: a logged-in user logs in again at a linked provider. */
export function confirmRoutes({ options }: FeatureCore, services: Services): Route[] {
  return [
    route({
      name: 'confirm-with',
      action: 'confirm-with',
      method: 'POST',
      path: '/confirm/with/:provider/',
      operation: {
        id: 'confirmWith',
        host: 'confirmation',
        summary: 'Confirm the login by logging in again with another provider',
        asks: [],
        errors: [...startErrors, ...confirmErrors],
        redirects: true,
      },
      access: 'logged-in',
      isOpenToEnroll: true,
      budget: 'loginWith',
      schema: { params: providerParams, body: linkBody, response: { 200: locationReply } },
      async handle({ params: { provider }, body, who, client }, core) {
        const deps = { ...services, ...core }
        const issuer = issuerOf(deps, provider)
        checkMayConfirm(await ownRecord(deps, who.user), issuer)
        const about = { next: checkNext(options, body.next), remember: false, login: loginOf(who) }
        return goToProvider(deps, client, issuer, { ...about, purpose: 'confirm' })
      },
    }),
  ]
}
