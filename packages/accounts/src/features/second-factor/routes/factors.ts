import { sessionParams } from '../../../http/input/schemas.js'
import { noReply } from '../../../http/output/schemas.js'
import { route } from '../../../http/route.js'
import { changeFactors } from '../change-factors.js'
import { removeRememberedDevice } from '../remove-remembered-device.js'
import { renewRecoveryCodes } from '../renew-recovery-codes.js'
import { showFactors } from '../show-factors.js'
import { codesReply, factorsBody, factorsReply } from './schemas.js'

/** Actions reserved to the owner, including users who must enroll. */
export const own = { access: 'owner', isOpenToEnroll: true, budget: null } as const

/** Which factors are on. */
export const factorRoutes = [
  route({
    name: 'second-factor',
    action: 'show-factors',
    method: 'GET',
    path: '/second-factor/',
    operation: { id: 'showFactors', summary: 'Show which second factors are on' },
    access: 'logged-in',
    isOpenToEnroll: true,
    budget: null,
    schema: { response: { 200: factorsReply } },
    async handle({ who }, deps) {
      return { body: await showFactors(deps, who.user, deps.pending.devices) }
    },
  }),
  route({
    name: 'second-factor',
    action: 'change-factors',
    method: 'PATCH',
    path: '/second-factor/',
    operation: {
      id: 'changeFactors',
      summary: 'Turn passkeys as a second factor on or off',
      asks: [],
      errors: ['ACCOUNTS_NOT_VERIFIED'],
      setsSession: true,
    },
    ...own,
    schema: { body: factorsBody, response: { 200: codesReply } },
    resource: {
      reply: factorsReply,
      show: ({ who }, deps) => showFactors(deps, who.user, deps.pending.devices),
    },
    async handle({ body, who, client }, deps) {
      return { body: { recovery_codes: await changeFactors(deps, who.user, body, client) } }
    },
  }),
]

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
