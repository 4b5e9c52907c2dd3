import { knownSession, loggedInUser, requireConfirmed } from '../../../http/access.js'
import type { Confirmation } from '../../../http/confirmation.js'
import { inRequestLanguage, respondIn } from '../../../http/request-language.js'
import type { Route } from '../../../http/route.js'
import { detailReply } from '../../../http/schemas/replies.js'
import type { FeatureCore } from '../../feature.js'
import { confirmationCode } from '../schemas.js'
import { codeField, confirmWithCode } from './confirm-with-code.js'
import { requestConfirmationCode } from './request-confirmation-code.js'

declare module '../../../feature-names.js' {
  interface FeatureActions {
    'request-confirmation-code': true
  }
}

/** At POST /confirm/. With a second factor on, it only counts after that: see `confirmedNow`. */
export function codeConfirmation(core: Omit<FeatureCore, 'confirmations'>): Confirmation {
  return {
    field: codeField,
    schema: confirmationCode,
    async confirm(request, owner, typed) {
      if (owner.factors.length > 0) requireConfirmed(request)
      const from = { session: knownSession(request), device: core.device.read(request, owner) }
      const user = await confirmWithCode(core, owner, typed as string, from)
      return { user, methods: ['email'] }
    },
  }
}

export function confirmationCodeRoutes(core: FeatureCore): Route[] {
  return [
    {
      name: 'confirm-code',
      action: 'request-confirmation-code',
      method: 'POST',
      path: '/confirm/code/',
      operation: {
        id: 'requestConfirmationCode',
        summary:
          'Email a code to confirm with, if the account has a login passkey, or nothing else to confirm with',
        errors: ['ACCOUNTS_NOT_VERIFIED', 'ACCOUNTS_CONFIRMATION_REQUIRED'],
      },
      access: 'logged-in',
      isOpenToEnroll: true,
      budget: 'loginCodeRequest',
      schema: { response: { 202: detailReply } },
      async handler(request, reply) {
        const localized = { ...core, ...inRequestLanguage(core, request) }
        await requestConfirmationCode(localized, loggedInUser(request), knownSession(request))
        reply.code(202)
        return { detail: respondIn(reply, core.themeOf(request).language).texts.responses.confirmation_code }
      },
    },
  ]
}
