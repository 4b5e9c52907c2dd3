import type { TObject, TProperties } from '@sinclair/typebox'
import { AccountsError, fieldError, invalidInput } from '../../../errors.js'
import { isChecked } from '../../../http/input/checkbox.js'
import { exampleOf } from '../../../http/openapi/openapi-examples.js'
import type { Handle } from '../../../http/operation.js'
import { ownUserReply } from '../../../http/output/reply-schemas.js'
import { type Route, route } from '../../../http/route.js'
import { tryFactor } from '../../../logins/factor.js'
import { finishLogin } from '../../../logins/finish-login.js'
import { knownDevice } from '../../../logins/known-device.js'
import { waitingLogin } from '../../../logins/waiting-login.js'
import { ownUser, withChanges } from '../../../user.js'
import type { FeatureCore } from '../../feature.js'
import { secondStepBody } from './schemas.js'

/** The second step of a login. */
export function loginRoute(core: FeatureCore): Route {
  const { factors, options } = core
  return route({
    name: 'login-second-factor',
    action: 'login',
    method: 'POST',
    path: '/login/second-factor/',
    operation: {
      id: 'logInWithSecondFactor',
      summary: 'Complete a login by a second factor',
      asks: ['logIn'],
      errors: [
        ...new Set(factors.map(({ refusal }) => refusal)),
        'ACCOUNTS_LOGIN_EXPIRED',
        'ACCOUNTS_NOT_VERIFIED',
        'ACCOUNTS_DISABLED',
      ],
      setsSession: true,
    },
    access: 'anyone',
    budget: 'login',
    schema: {
      body: loginBody(core),
      response: { 200: ownUserReply(options) },
    },
    handle: completeLogin,
  })
}

function loginBody({ factors, pending }: Pick<FeatureCore, 'factors' | 'pending'>): typeof secondStepBody {
  const { remember_device } = secondStepBody.properties
  const [{ field, schema } = { field: 'code', schema: {} }] = factors
  const body: TObject = {
    ...secondStepBody,
    // One factor is enough.
    examples: [{ [field]: exampleOf({ ...schema }, field) }],
    properties: {
      ...(Object.fromEntries(factors.map(({ field, schema }) => [field, schema])) as TProperties),
      ...(pending.devices.lifetime > 0 && { remember_device }),
    },
  }
  return body as typeof secondStepBody
}

const completeLogin: Handle<{ body: typeof secondStepBody; response: object }, 'anyone'> = async (
  { body: { remember_device: remembers, ...proofs }, client },
  deps,
) => {
  const { pending, factors } = deps
  const [[field, value] = []] = Object.entries(proofs)
  const factor = factors.find((each) => each.field === field)
  if (factor === undefined) throw invalidInput(fieldError('code', 'required'))
  const { waiting, user, text } = await waitingLogin(deps, client)
  if (waiting === null) {
    pending.cookie.clear(client)
    throw new AccountsError('ACCOUNTS_LOGIN_EXPIRED', { userId: user?.id })
  }
  client.note({ user })
  const from = { step: 'login', occasion: text, client, device: knownDevice(deps, client, user) } as const
  const proof = await tryFactor(deps, { factor, value }, user, from)
  const reason = factor.reasonFor?.(user, value)
  const wrong = () => new AccountsError(factor.refusal, { userId: user.id, reason })
  if (proof === null) throw wrong()
  const methods = [...new Set([...waiting.methods, ...proof.methods, 'mfa'])]
  let remembered: ReturnType<typeof pending.devices.add> | undefined
  const loggedIn = await finishLogin(
    deps,
    client,
    {
      user,
      methods,
      ...(waiting.adds && { adds: waiting.adds }),
      spend(current) {
        if (!waiting.stillValid(current)) throw new AccountsError('ACCOUNTS_LOGIN_EXPIRED')
        const changes = proof.spend(current)
        if (changes === null) throw wrong()
        if (!isChecked(remembers)) return changes
        remembered = pending.devices.add(withChanges(current, changes), client.details)
        return { ...changes, credentials: remembered.credentials }
      },
      mails: (changed) => proof.mails?.(changed, deps.postOffice) ?? [],
    },
    waiting.remember,
  )
  if (remembered)
    pending.deviceCookie.write(client, remembered.text, Math.ceil(pending.devices.lifetime / 1000))
  return { body: ownUser(loggedIn) }
}
