import { route } from '../../../http/route.js'
import { noReply } from '../../../http/schemas/replies.js'
import { sessionParams } from '../../../http/schemas/requests.js'
import { removeRememberedDevice } from '../remove-remembered-device.js'
import { renewRecoveryCodes } from '../renew-recovery-codes.js'
import { own } from './own.js'
import { codesReply } from './schemas.js'

/** What replaces a factor: remembered devices and recovery codes. */
export const substituteRoutes = [
  route({
    name: 'remembered-device',
    action: 'remove-remembered-device',
    method: 'DELETE',
    path: '/second-factor/devices/:id',
    operation: {
      id: 'removeRememberedDevice',
      summary: 'Forget a remembered device',
      errors: ['ACCOUNTS_NOT_FOUND'],
    },
    access: 'logged-in',
    isOpenToEnroll: true,
    budget: null,
    schema: { params: sessionParams, response: { 204: noReply } },
    async handle({ params: { id }, who }, deps) {
      await removeRememberedDevice(deps, who.user, id)
      return {}
    },
  }),
  route({
    name: 'recovery-codes',
    action: 'renew-recovery-codes',
    method: 'POST',
    path: '/second-factor/recovery-codes/',
    operation: { id: 'renewRecoveryCodes', summary: 'Create new recovery codes, which replace the old ones' },
    ...own,
    schema: { response: { 200: codesReply } },
    async handle({ who }, deps) {
      return { body: { recovery_codes: await renewRecoveryCodes(deps, who.user) } }
    },
  }),
]
