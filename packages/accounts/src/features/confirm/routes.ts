import { AccountsError, fieldError, invalidInput } from '../../errors.js'
import { currentLogin, loggedInUser } from '../../http/access.js'
import { noteReason } from '../../http/audit.js'
import { inRequestLanguage } from '../../http/request-language.js'
import { confirmBody } from '../../http/request-schemas.js'
import type { Route } from '../../http/route.js'
import { noReply } from '../../http/schemas/replies.js'
import { whileThere } from '../../http/while-there.js'
import type { User } from '../../user.js'
import type { FeatureCore } from '../feature.js'
import { confirmFactor } from './confirm-factor.js'
import { confirmPassword } from './confirm-password.js'

declare module '../../feature-names.js' {
  interface FeatureActions {
    confirm: true
  }
}

/** Re-authentication, for actions reserved to the owner. */
export function confirmRoutes(core: FeatureCore): Route[] {
  const { keeper, device, factors, confirmations } = core
  return [
    {
      name: 'confirm',
      action: 'confirm',
      method: 'POST',
      path: '/confirm/',
      operation: {
        id: 'confirm',
        summary: 'Confirm the login again before a sensitive action',
        errors: ['ACCOUNTS_CONFIRMATION_REQUIRED', 'ACCOUNTS_CONFLICT', 'ACCOUNTS_THROTTLED'],
        setsSession: true,
      },
      access: 'logged-in',
      isOpenToEnroll: true,
      budget: 'ownPassword',
      schema: { body: confirmBody([...factors, ...confirmations]), response: { 204: noReply } },
      async handler(request, reply) {
        const owner = loggedInUser(request)
        const { password, ...rest } = request.body as Record<string, unknown>
        let proven: { user: User; methods: readonly string[] }
        const [[field, value] = []] = Object.entries(rest)
        const confirmation = confirmations.find((each) => each.field === field)
        if (field === undefined && password !== undefined) {
          // Otherwise a second factor would add no protection here.
          if (owner.factors.length > 0) throw new AccountsError('ACCOUNTS_CONFIRMATION_REQUIRED')
          const user = await confirmPassword(whileThere(core, reply), owner, password as string)
          proven = { user, methods: ['pwd'] }
        } else if (confirmation !== undefined) {
          proven = await confirmation.confirm(request, owner, value)
        } else {
          const factor = factors.find((each) => each.field === field)
          if (factor === undefined) throw invalidInput(fieldError('password', 'required'))
          const given = { factor, value }
          proven = await confirmFactor(inRequestLanguage(core, request), owner, given, {
            request,
            device: device.read(request, owner),
            note: (reason) => noteReason(request, reason),
          })
        }
        if (!(await keeper.confirm(request, reply, { login: currentLogin(request), ...proven })))
          throw new AccountsError('ACCOUNTS_LOGIN_REQUIRED')
        return reply.code(204).send()
      },
    },
  ]
}
