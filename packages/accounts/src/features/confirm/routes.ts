import { AccountsError, fieldError, invalidInput } from '../../errors.js'
import { withOptional } from '../../http/input/field-schemas.js'
import type { Input } from '../../http/operation.js'
import { noReply } from '../../http/output/schemas.js'
import { type Route, route } from '../../http/route.js'
import { confirming } from '../../logins/asked-factors.js'
import type { Reproof } from '../../sessions/session-effect.js'
import type { User } from '../../user.js'
import type { Feature, FeatureCore } from '../feature.js'
import { confirmFactor } from './confirm-factor.js'
import { confirmPassword } from './confirm-password.js'
import { passwordBody } from './schemas.js'

declare module '../../feature-names.js' {
  interface FeatureActions {
    confirm: 'confirm'
  }
}

/** Re-authentication before a sensitive action. */
export const confirm: Feature = {
  name: 'confirm',
  routes: (core) => ({ auth: confirmRoutes(core) }),
}

function confirmRoutes({ factors, confirmations }: FeatureCore): Route[] {
  const others = [...factors, ...confirmations].map(({ field, schema }) => [field, schema])
  return [
    route({
      name: 'confirm',
      action: 'confirm',
      method: 'POST',
      path: '/confirm/',
      operation: {
        id: 'confirm',
        host: 'confirmation',
        summary: 'Confirm the login again before a sensitive action',
        asks: [],
        errors: ['ACCOUNTS_CONFIRMATION_REQUIRED'],
        setsSession: true,
      },
      access: 'logged-in',
      isOpenToEnroll: true,
      budget: 'ownPassword',
      schema: {
        body: withOptional(passwordBody, Object.fromEntries(others)) as typeof passwordBody,
        response: { 204: noReply },
      },
      async handle({ body, who, client }, deps) {
        const proven = await prove(body, { who, client }, deps)
        if (!(await deps.keeper.confirm(client, proven))) throw new AccountsError('ACCOUNTS_LOGIN_REQUIRED')
        return {}
      },
    }),
  ]
}

/** Checks the password, a factor or what another feature takes. */
async function prove(
  { password, ...rest }: { password?: string },
  { who, client }: Pick<Input<object, 'logged-in'>, 'who' | 'client'>,
  deps: FeatureCore,
): Promise<Reproof & { user: User }> {
  const { user: owner } = who
  const [[field, value] = []] = Object.entries(rest)
  if (field === undefined && password !== undefined) {
    // Otherwise a second factor would add no protection here.
    if (owner.factors.length > 0) throw new AccountsError('ACCOUNTS_CONFIRMATION_REQUIRED', confirming(owner))
    return { user: await confirmPassword(deps, owner, password), methods: ['pwd'] }
  }
  const confirmation = deps.confirmations.find((each) => each.field === field)
  if (confirmation !== undefined) return confirmation.confirm(value, { who, client })
  const factor = deps.factors.find((each) => each.field === field)
  if (factor === undefined) throw invalidInput(fieldError('password', 'required'))
  return confirmFactor(deps, owner, { factor, value }, { client, device: deps.device.read(client, owner) })
}
