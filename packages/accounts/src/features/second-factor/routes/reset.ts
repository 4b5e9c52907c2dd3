import { userParams } from '../../../http/input/schemas.js'
import { noReply } from '../../../http/output/schemas.js'
import { type Route, route } from '../../../http/route.js'
import type { MailKind } from '../../../seams/mailer.js'
import type { FeatureCore } from '../../feature.js'
import { resetUserFactors } from '../reset-user-factors.js'

/**
 * Staff remove a user's factors, and passkeys, where they have routes for users.
 * @param mail the kind of email that tells the owner
 */
export function staffResetRoutes(
  { options: { users } }: Pick<FeatureCore, 'options'>,
  mail: MailKind,
): Route[] {
  if (users === false || users.variant === 'signup') return []
  const reset = route({
    name: 'user-second-factor-reset',
    action: 'reset-factors',
    method: 'POST',
    path: '/user/:pk/second-factor/reset/',
    operation: {
      id: 'resetUserFactors',
      summary: 'Remove the second factors and passkeys of a user who has lost them',
      authorize: ['resetFactors'],
      errors: ['ACCOUNTS_NOT_FOUND'],
    },
    access: 'confirmed',
    budget: null,
    schema: { params: userParams, response: { 204: noReply } },
    async handle({ params: { pk }, who, client }, deps) {
      await resetUserFactors(deps, who.user, pk, mail)
      client.note({ user: { id: pk } })
      return {}
    },
  })
  return [reset]
}
