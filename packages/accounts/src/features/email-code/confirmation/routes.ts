import { detailReply } from '../../../http/output/schemas.js'
import { type Route, route } from '../../../http/route.js'
import type { Confirmation } from '../../../logins/confirmation.js'
import { requireConfirmed } from '../../../logins/who.js'
import { sessionMark } from '../../../sessions/session-rules.js'
import type { FeatureCore } from '../../feature.js'
import { confirmationCode } from '../schemas.js'
import { codeField, confirmWithCode } from './confirm-with-code.js'
import { requestConfirmationCode } from './request-confirmation-code.js'

/** At POST /confirm/. With a second factor on, it only counts after that: see `confirmedNow`. */
export function codeConfirmation(core: Omit<FeatureCore, 'confirmations'>): Confirmation {
  return {
    field: codeField,
    schema: confirmationCode,
    async confirm(typed, { who, client }) {
      const owner = who.user
      if (owner.factors.length > 0) requireConfirmed(who)
      const from = { session: sessionMark(who.login), device: core.device.read(client, owner) }
      const user = await confirmWithCode(core, owner, typed as string, from)
      return { user, methods: ['email'] }
    },
  }
}

export function confirmationCodeRoutes(): Route[] {
  return [
    route({
      name: 'confirm-code',
      action: 'request-confirmation-code',
      method: 'POST',
      path: '/confirm/code/',
      operation: {
        id: 'requestConfirmationCode',
        host: 'confirmation',
        summary:
          'Email a code to confirm with, if the account has a login passkey, or nothing else to confirm with',
        errors: ['ACCOUNTS_NOT_VERIFIED', 'ACCOUNTS_CONFIRMATION_REQUIRED'],
      },
      access: 'logged-in',
      isOpenToEnroll: true,
      budget: 'loginCodeRequest',
      schema: { response: { 202: detailReply } },
      async handle({ who }, deps) {
        await requestConfirmationCode(deps, who.user, sessionMark(who.login))
        return { status: 202, message: 'confirmation_code' }
      },
    }),
  ]
}
