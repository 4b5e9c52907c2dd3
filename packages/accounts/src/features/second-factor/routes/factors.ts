import { loggedInUser } from '../../../http/access.js'
import { keepLoggedIn } from '../../../http/keep-logged-in.js'
import { inRequestLanguage } from '../../../http/request-language.js'
import type { Route } from '../../../http/route.js'
import type { FeatureCore } from '../../feature.js'
import { changeFactors } from '../change-factors.js'
import { showFactors } from '../show-factors.js'
import { factorAdded, own } from './own.js'
import { codesReply, factorsBody, factorsReply } from './schemas.js'

/** Which factors are on. */
export function factorRoutes(core: FeatureCore): Route[] {
  return [
    {
      name: 'second-factor',
      action: 'show-factors',
      method: 'GET',
      path: '/second-factor/',
      operation: { id: 'showFactors', summary: 'Show which second factors are on', errors: [] },
      access: 'logged-in',
      isOpenToEnroll: true,
      budget: null,
      schema: { response: { 200: factorsReply } },
      handler: (request) => showFactors(core, loggedInUser(request), core.pending.devices),
    },
    {
      name: 'second-factor',
      action: 'change-factors',
      method: 'PATCH',
      path: '/second-factor/',
      operation: {
        id: 'changeFactors',
        summary: 'Turn passkeys as a second factor on or off',
        errors: ['ACCOUNTS_NOT_VERIFIED', 'ACCOUNTS_CONFLICT'],
        setsSession: true,
      },
      ...own,
      schema: { body: factorsBody, response: { 200: codesReply } },
      async handler(request, reply) {
        const given = request.body as { passkeys: boolean }
        const deps = inRequestLanguage(core, request)
        // A passkey was given when it was added, so what this session has proved stays the same.
        const proven = { methods: [], after: factorAdded }
        const recoveryCodes = await keepLoggedIn(deps, request, reply, proven, (own) =>
          changeFactors(own, loggedInUser(request), given),
        )
        return { recovery_codes: recoveryCodes }
      },
    },
  ]
}
