import { loggedInUser } from '../../../http/access.js'
import { noteUser } from '../../../http/audit.js'
import { inRequestLanguage } from '../../../http/request-language.js'
import type { Route } from '../../../http/route.js'
import { noReply } from '../../../http/schemas/replies.js'
import { type UserParams, userParams } from '../../../http/schemas/requests.js'
import type { MailKind } from '../../../seams/mailer.js'
import type { FeatureCore } from '../../feature.js'
import { resetUserFactors } from '../reset-user-factors.js'

/** What the route needs. */
export type ResetCore = Pick<FeatureCore, 'users' | 'options' | 'postOffice' | 'hasWayIn' | 'themeOf'>

/**
 * Staff remove a user's factors, and passkeys.
 * @param mail the kind of email that tells the owner
 */
export function resetFactorsRoute(core: ResetCore, mail: MailKind): Route {
  return {
    name: 'user-second-factor-reset',
    action: 'reset-factors',
    method: 'POST',
    path: '/user/:pk/second-factor/reset/',
    operation: {
      id: 'resetUserFactors',
      summary: 'Remove the second factors and passkeys of a user who has lost them',
      errors: ['ACCOUNTS_FORBIDDEN', 'ACCOUNTS_NOT_FOUND', 'ACCOUNTS_CONFLICT'],
    },
    access: 'confirmed',
    budget: null,
    schema: { params: userParams, response: { 204: noReply } },
    async handler(request, reply) {
      const { pk } = request.params as UserParams
      await resetUserFactors(inRequestLanguage(core, request), loggedInUser(request), pk, mail)
      noteUser(request, { id: pk })
      return reply.code(204).send()
    },
  }
}
