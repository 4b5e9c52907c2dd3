import { route } from '../../../http/route.js'
import { changeFactors } from '../change-factors.js'
import { showFactors } from '../show-factors.js'
import { own } from './own.js'
import { codesReply, factorsBody, factorsReply } from './schemas.js'

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
      errors: ['ACCOUNTS_NOT_VERIFIED'],
      setsSession: true,
    },
    ...own,
    schema: { body: factorsBody, response: { 200: codesReply } },
    async handle({ body, who, client }, deps) {
      // A passkey was given when it was added, so what this session has proved stays the same.
      const session = deps.keeper.continue(client, who.login, [])
      return { body: { recovery_codes: await changeFactors(deps, who.user, body, session) } }
    },
  }),
]
