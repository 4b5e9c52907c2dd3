import type { Static, TObject, TProperties } from '@sinclair/typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AccountsError, fieldError, invalidInput } from '../../../errors.js'
import { noteReason, noteUser } from '../../../http/audit.js'
import { exampleOf } from '../../../http/openapi-examples.js'
import { ownUserReply } from '../../../http/reply-schemas.js'
import { inRequestLanguage } from '../../../http/request-language.js'
import { isChecked } from '../../../http/request-schemas.js'
import type { Route } from '../../../http/route.js'
import { startSession, waitingLogin } from '../../../http/start-session.js'
import { tryFactor } from '../../../logins/factor.js'
import { clientOf } from '../../../sessions/client.js'
import { ownUser, withChanges } from '../../../user.js'
import type { FeatureCore } from '../../feature.js'
import { secondStepBody } from './schemas.js'

/** The second step of a login. */
export function loginRoute(core: FeatureCore): Route {
  const { factors, options } = core
  return {
    name: 'login-second-factor',
    action: 'login',
    method: 'POST',
    path: '/login/second-factor/',
    operation: {
      id: 'logInWithSecondFactor',
      summary: 'Complete a login by a second factor',
      errors: [
        ...new Set(factors.map(({ refusal }) => refusal)),
        'ACCOUNTS_LOGIN_EXPIRED',
        'ACCOUNTS_NOT_VERIFIED',
        'ACCOUNTS_DISABLED',
        'ACCOUNTS_CONFLICT',
        'ACCOUNTS_THROTTLED',
      ],
      setsSession: true,
    },
    access: 'anyone',
    budget: 'login',
    schema: {
      body: loginBody(core),
      response: { 200: ownUserReply(options.fields, options.names) },
    },
    handler: (request, reply) => completeLogin(core, request, reply),
  }
}

function loginBody({ factors, pending }: Pick<FeatureCore, 'factors' | 'pending'>): TObject {
  const { remember_device } = secondStepBody.properties
  const [{ field, schema } = { field: 'code', schema: {} }] = factors
  return {
    ...secondStepBody,
    // One factor is enough.
    examples: [{ [field]: exampleOf({ ...schema }, field) }],
    properties: {
      ...(Object.fromEntries(factors.map(({ field, schema }) => [field, schema])) as TProperties),
      ...(pending.devices.lifetime > 0 && { remember_device }),
    },
  }
}

/** One factor's field with its value. */
type SecondStep = Static<typeof secondStepBody> & Record<string, unknown>

async function completeLogin(
  core: FeatureCore,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<object> {
  const { device, pending, factors, options } = core
  const { remember_device: remembers, ...given } = request.body as SecondStep
  const [[field, value] = []] = Object.entries(given)
  const factor = factors.find((each) => each.field === field)
  if (factor === undefined) throw invalidInput(fieldError('code', 'required'))
  const { waiting, user, text } = await waitingLogin(core, request)
  if (waiting === null) {
    pending.cookie.clear(request, reply)
    throw new AccountsError('ACCOUNTS_LOGIN_EXPIRED', { userId: user?.id })
  }
  noteUser(request, user)
  const deps = inRequestLanguage(core, request)
  const proof = await tryFactor(deps, { factor, value }, user, {
    step: 'login',
    occasion: text,
    request,
    device: device.read(request, user),
    note: (reason) => noteReason(request, reason),
  })
  const wrong = () =>
    new AccountsError(factor.refusal, {
      userId: user.id,
      text: factor.wrongText,
    })
  if (proof === null) throw wrong()
  const methods = [...new Set([...waiting.methods, ...proof.methods, 'mfa'])]
  let remembered: ReturnType<typeof pending.devices.add> | undefined
  const loggedIn = await startSession(
    deps,
    request,
    reply,
    {
      user,
      methods,
      ...(waiting.adds && { adds: waiting.adds }),
      spend(current) {
        if (!waiting.stillValid(current)) throw new AccountsError('ACCOUNTS_LOGIN_EXPIRED')
        const changes = proof.spend(current)
        if (changes === null) throw wrong()
        if (!isChecked(remembers)) return changes
        remembered = pending.devices.add(withChanges(current, changes), clientOf(request, options.session))
        return { ...changes, credentials: remembered.credentials }
      },
      mails: (changed) => proof.mails?.(changed, deps.postOffice) ?? [],
    },
    waiting.remember,
  )
  if (remembered)
    pending.deviceCookie.write(reply, remembered.text, Math.ceil(pending.devices.lifetime / 1000))
  return ownUser(loggedIn)
}
