import { loggedInUser } from '../../../http/access.js'
import { inRequestLanguage } from '../../../http/request-language.js'
import type { Route } from '../../../http/route.js'
import { noReply } from '../../../http/schemas/replies.js'
import { type SessionParams, sessionParams } from '../../../http/schemas/requests.js'
import type { FeatureCore } from '../../feature.js'
import { removeRememberedDevice } from '../remove-remembered-device.js'
import { renewRecoveryCodes } from '../renew-recovery-codes.js'
import { own } from './own.js'
import { codesReply } from './schemas.js'

/** What replaces a factor: remembered devices and recovery codes. */
export function substituteRoutes(core: FeatureCore): Route[] {
  return [
    {
      name: 'remembered-device',
      action: 'remove-remembered-device',
      method: 'DELETE',
      path: '/second-factor/devices/:id',
      operation: {
        id: 'removeRememberedDevice',
        summary: 'Forget a remembered device',
        errors: ['ACCOUNTS_NOT_FOUND', 'ACCOUNTS_CONFLICT'],
      },
      access: 'logged-in',
      isOpenToEnroll: true,
      budget: null,
      schema: { params: sessionParams, response: { 204: noReply } },
      async handler(request, reply) {
        await removeRememberedDevice(core, loggedInUser(request), (request.params as SessionParams).id)
        return reply.code(204).send()
      },
    },
    {
      name: 'recovery-codes',
      action: 'renew-recovery-codes',
      method: 'POST',
      path: '/second-factor/recovery-codes/',
      operation: {
        id: 'renewRecoveryCodes',
        summary: 'Create new recovery codes, which replace the old ones',
        errors: ['ACCOUNTS_CONFLICT'],
      },
      ...own,
      schema: { response: { 200: codesReply } },
      async handler(request) {
        const codes = await renewRecoveryCodes(inRequestLanguage(core, request), loggedInUser(request))
        return { recovery_codes: codes }
      },
    },
  ]
}
