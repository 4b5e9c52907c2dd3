import type { Deps } from '../deps.js'
import { AccountsError, fieldError, invalidInput, refusal } from '../errors.js'
import type { Factor } from '../logins/factor.js'
import { confirmFactor } from '../services/confirm-factor.js'
import { confirmPassword } from '../services/confirm-password.js'
import type { DeviceCookie } from '../sessions/device-cookie.js'
import type { SessionKeeper } from '../sessions/session-keeper.js'
import type { User } from '../user.js'
import { currentLogin, loggedInUser } from './access.js'
import { noteReason } from './audit.js'
import type { Confirmation } from './confirmation.js'
import { inRequestLanguage } from './request-language.js'
import { confirmBody } from './request-schemas.js'
import type { Route } from './route.js'
import { noReply } from './schemas/replies.js'
import { whileThere } from './while-there.js'

declare module '../feature-names.js' {
  interface FeatureActions {
    confirm: true
  }
}

type ConfirmDeps = Deps & {
  keeper: SessionKeeper
  device: DeviceCookie
  factors: readonly Factor[]
  confirmations: readonly Confirmation[]
} & Parameters<typeof inRequestLanguage>[0]

/** Re-authentication, for actions reserved to the owner. */
export function confirmRoutes(deps: ConfirmDeps): Route[] {
  const { keeper, device, factors, confirmations } = deps
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
          if (owner.factors.length > 0) throw refusal('ACCOUNTS_CONFIRMATION_REQUIRED')
          const user = await confirmPassword(whileThere(deps, reply), owner, password as string)
          proven = { user, methods: ['pwd'] }
        } else if (confirmation !== undefined) {
          proven = await confirmation.confirm(request, owner, value)
        } else {
          const factor = factors.find((each) => each.field === field)
          if (factor === undefined) throw invalidInput(fieldError('password', 'required'))
          const given = { factor, value }
          proven = await confirmFactor(inRequestLanguage(deps, request), owner, given, {
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
