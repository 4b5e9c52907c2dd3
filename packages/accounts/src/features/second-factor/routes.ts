import * as Type from '@sinclair/typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { fieldError, invalidInput, refusal } from '../../errors.js'
import { tryFactor } from '../../logins/factor.js'
import { knownLogin, knownSession, loggedInUser } from '../../routes/access.js'
import { noteReason, noteUser } from '../../routes/audit.js'
import { inRequestLanguage } from '../../routes/request-language.js'
import type { Route } from '../../routes/route.js'
import {
  noReply,
  ownUserReply,
  remember,
  type SessionParams,
  sessionParams,
  type UserParams,
  userParams,
} from '../../routes/schemas.js'
import { markDevice, startSession, waitingLogin } from '../../routes/start-session.js'
import { clientOf } from '../../sessions/client.js'
import { lastGaveTwoFactors } from '../../sessions/login.js'
import { type AccountUser, ownUser, type User, withChanges } from '../../user.js'
import type { FeatureCore, FeatureRoutes } from '../feature.js'
import { changeFactors } from './change-factors.js'
import { confirmTotp } from './confirm-totp.js'
import { listedApp } from './factors/credentials.js'
import type { Enroller, Setup } from './factors/setup.js'
import { removeRememberedDevice } from './remove-remembered-device.js'
import { removeTotp } from './remove-totp.js'
import { removeTotpApp } from './remove-totp-app.js'
import { renameTotpApp } from './rename-totp-app.js'
import { renewRecoveryCodes } from './renew-recovery-codes.js'
import { resetUserFactors } from './reset-user-factors.js'
import { showFactors } from './show-factors.js'
import { startTotp } from './start-totp.js'

declare module '../../feature-names.js' {
  interface FeatureActions {
    'show-factors': true
    'change-factors': true
    'start-totp': true
    'confirm-totp': true
    'remove-totp': true
    'rename-totp-app': true
    'remove-totp-app': true
    'remove-remembered-device': true
    'renew-recovery-codes': true
    'reset-factors': true
  }
}

const text = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, format: 'text', description })
const appName = text(100, 'What its owner calls it')
const totpBody = Type.Object(
  {
    code: text(64, 'What the app shows'),
    token: text(2048, 'From the step before'),
    name: Type.Optional(appName),
  },
  { additionalProperties: false },
)
const appBody = Type.Object({ name: appName }, { additionalProperties: false })
const appReply = Type.Object({
  id: Type.String(),
  name: Type.String(),
  created_at: Type.String({ format: 'date-time' }),
  last_used_at: Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'date-time' }),
})
const totpReply = Type.Object({
  secret: Type.String({ description: 'Base32, to be typed' }),
  uri: Type.String({ description: 'otpauth://, what the QR code holds' }),
  qr_svg: Type.String({ description: 'The QR code as SVG' }),
  token: Type.String({ description: 'For the step behind' }),
})
const factorsBody = Type.Object(
  { passkeys: Type.Boolean({ description: 'Whether a passkey is asked for behind a password' }) },
  { additionalProperties: false },
)
const codesReply = Type.Object({
  recovery_codes: Type.Array(Type.String(), { description: 'Shown this once; empty where older ones stay' }),
})
const factorsReply = Type.Object({
  totp: Type.Boolean(),
  passkeys: Type.Boolean(),
  recovery_codes_left: Type.Integer(),
  required: Type.Boolean({ description: 'Whether this user must have a second factor' }),
  apps: Type.Array(appReply, { description: 'Authenticator apps, oldest first' }),
  remembered_devices: Type.Array(
    Type.Object({
      id: Type.String(),
      created_at: Type.String({ format: 'date-time' }),
      expires_at: Type.String({ format: 'date-time' }),
      browser: Type.Union([Type.String(), Type.Null()]),
      system: Type.Union([Type.String(), Type.Null()]),
    }),
    { description: 'Where no factor is asked for, newest first' },
  ),
})

type IsRequired = (user: AccountUser) => boolean | Promise<boolean>

/** The second step of a login, and what people do with their own factors; staff take them away. */
export function secondFactorRoutes(core: FeatureCore, setup: Setup, isRequired: IsRequired): FeatureRoutes {
  const { users } = core.options
  const hasUserRoutes = users !== false && users.variant !== 'signup'
  return {
    auth: [
      ...loginRoutes(core),
      ...factorRoutes(core, isRequired),
      ...appRoutes(core, setup),
      ...substituteRoutes(core),
    ],
    users: hasUserRoutes ? [resetRoute(core)] : [],
  }
}

/** What only the owner may do, and who must enroll too. */
const own = { access: 'confirmed', isOpenToEnroll: true, budget: null } as const

/** The second step of a login. */
function loginRoutes(core: FeatureCore): Route[] {
  const { device, pending, factors, options } = core
  return [
    {
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
      },
      access: 'anyone',
      budget: 'login',
      schema: {
        body: Type.Object(
          {
            ...Object.fromEntries(
              factors.map(({ field, schema }) => [field, Type.Optional(Type.Unsafe(schema))]),
            ),
            ...(pending.devices.lifetime > 0 && { remember_device: Type.Optional(remember) }),
          },
          { additionalProperties: false },
        ),
        response: { 200: ownUserReply(options.fields, options.names) },
      },
      async handler(request, reply) {
        const { remember_device: remembers = false, ...given } = request.body as Record<string, unknown>
        const [[field, value] = []] = Object.entries(given)
        const factor = factors.find((each) => each.field === field)
        if (factor === undefined) throw invalidInput(fieldError('code', 'required'))
        const { waiting, user, text } = await waitingLogin(core, request)
        if (waiting === null) {
          pending.cookie.clear(request, reply)
          throw refusal('ACCOUNTS_LOGIN_EXPIRED', { userId: user?.id })
        }
        noteUser(request, user)
        const deps = inRequestLanguage(core, request)
        const proof = await tryFactor(deps, { factor, value }, user, {
          ...{ step: 'login', occasion: text, request },
          device: device.read(request, user),
          note: (reason) => noteReason(request, reason),
        })
        if (proof === null) throw refusal(factor.refusal, { userId: user.id })
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
              if (!waiting.stillValid(current)) throw refusal('ACCOUNTS_LOGIN_EXPIRED')
              const changes = proof.spend(current)
              if (changes === null) throw refusal(factor.refusal)
              if (remembers === false || remembers === 'false') return changes
              remembered = pending.devices.add(
                withChanges(current, changes),
                clientOf(request, options.session),
              )
              return { ...changes, credentials: remembered.credentials }
            },
            mails: (changed) => proof.mails?.(changed, deps.postOffice) ?? [],
          },
          waiting.remember,
        )
        if (remembered)
          pending.deviceCookie.write(reply, remembered.text, Math.ceil(pending.devices.lifetime / 1000))
        return ownUser(loggedIn)
      },
    },
  ]
}

/** Which factors are on. */
function factorRoutes(core: FeatureCore, isRequired: IsRequired): Route[] {
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
      handler: (request) => showFactors(core, loggedInUser(request), isRequired, core.pending.devices),
    },
    {
      name: 'second-factor',
      action: 'change-factors',
      method: 'PATCH',
      path: '/second-factor/',
      operation: {
        id: 'changeFactors',
        summary: 'Ask for a passkey behind the password, or no longer',
        errors: ['ACCOUNTS_NOT_VERIFIED', 'ACCOUNTS_CONFLICT'],
      },
      ...own,
      schema: { body: factorsBody, response: { 200: codesReply } },
      async handler(request, reply) {
        const given = request.body as { passkeys: boolean }
        const deps = { ...inRequestLanguage(core, request), factors: core.factors }
        const { user, isFirst, recoveryCodes } = await changeFactors(deps, enrollerOf(request), given)
        // A passkey was shown when it was added: what this session has proved stays what it was.
        if (isFirst) await goOn(core, request, reply, user, core.keeper.renew(request, reply, user, []))
        return { recovery_codes: recoveryCodes }
      },
    },
  ]
}

/** Authenticator apps. */
function appRoutes(core: FeatureCore, setup: Setup): Route[] {
  return [
    {
      name: 'totp',
      action: 'start-totp',
      method: 'POST',
      path: '/second-factor/totp/',
      operation: {
        id: 'startTotp',
        summary: 'Begin to set an authenticator app up',
        errors: ['ACCOUNTS_NOT_VERIFIED'],
      },
      ...own,
      schema: { response: { 200: totpReply } },
      handler: (request) => startTotp(core, setup, enrollerOf(request), knownSession(request)),
    },
    {
      name: 'totp-confirm',
      action: 'confirm-totp',
      method: 'POST',
      path: '/second-factor/totp/confirm/',
      operation: {
        id: 'confirmTotp',
        summary: 'Turn an authenticator app on by its first code',
        errors: ['ACCOUNTS_NOT_VERIFIED', 'ACCOUNTS_CONFLICT'],
      },
      ...own,
      budget: 'ownPassword',
      schema: { body: totpBody, response: { 200: codesReply } },
      async handler(request, reply) {
        const given = request.body as { code: string; token: string; name?: string }
        const deps = { ...inRequestLanguage(core, request), factors: core.factors }
        const session = knownSession(request)
        const { user, isFirst, recoveryCodes } = await confirmTotp(
          deps,
          setup,
          enrollerOf(request),
          session,
          given,
        )
        const renewed = isFirst
          ? core.keeper.renew(request, reply, user, ['otp', 'mfa'])
          : core.keeper.confirm(request, reply, user, ['otp', 'mfa'])
        await goOn(core, request, reply, user, renewed)
        return { recovery_codes: recoveryCodes }
      },
    },
    {
      name: 'totp',
      action: 'remove-totp',
      method: 'DELETE',
      path: '/second-factor/totp/',
      operation: {
        id: 'removeTotp',
        summary: 'Remove every authenticator app',
        errors: ['ACCOUNTS_NOT_FOUND', 'ACCOUNTS_CONFLICT'],
      },
      ...own,
      schema: { response: { 204: noReply } },
      async handler(request, reply) {
        await removeTotp(inRequestLanguage(core, request), loggedInUser(request))
        return reply.code(204).send()
      },
    },
    {
      name: 'totp-app',
      action: 'rename-totp-app',
      method: 'PATCH',
      path: '/second-factor/totp/:id',
      operation: {
        id: 'renameTotpApp',
        summary: 'Give an authenticator app another name',
        errors: ['ACCOUNTS_NOT_FOUND', 'ACCOUNTS_CONFLICT', 'ACCOUNTS_THROTTLED'],
      },
      access: 'logged-in',
      budget: null,
      schema: { params: sessionParams, body: appBody, response: { 200: appReply } },
      async handler(request) {
        const { id } = request.params as SessionParams
        const { name } = request.body as { name: string }
        return listedApp(await renameTotpApp(core, loggedInUser(request), id, name))
      },
    },
    {
      name: 'totp-app',
      action: 'remove-totp-app',
      method: 'DELETE',
      path: '/second-factor/totp/:id',
      operation: {
        id: 'removeTotpApp',
        summary: 'Remove one authenticator app',
        errors: ['ACCOUNTS_NOT_FOUND', 'ACCOUNTS_CONFLICT'],
      },
      ...own,
      schema: { params: sessionParams, response: { 204: noReply } },
      async handler(request, reply) {
        const { id } = request.params as SessionParams
        await removeTotpApp(inRequestLanguage(core, request), loggedInUser(request), id)
        return reply.code(204).send()
      },
    },
  ]
}

/** What replaces a factor: remembered devices and recovery codes. */
function substituteRoutes(core: FeatureCore): Route[] {
  return [
    {
      name: 'remembered-device',
      action: 'remove-remembered-device',
      method: 'DELETE',
      path: '/second-factor/devices/:id',
      operation: {
        id: 'removeRememberedDevice',
        summary: 'Ask for the second factor again on a device that was remembered',
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
        summary: 'Make new recovery codes; the old ones are void',
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

/** Staff take the factors of a user away. */
function resetRoute(core: FeatureCore): Route {
  return {
    name: 'user-second-factor-reset',
    action: 'reset-factors',
    method: 'POST',
    path: '/user/:pk/second-factor/reset/',
    operation: {
      id: 'resetUserFactors',
      summary: 'Remove the second factors and passkeys of a user who has lost them',
      errors: ['ACCOUNTS_FORBIDDEN', 'ACCOUNTS_NOT_FOUND', 'ACCOUNTS_CONFLICT'],
    },
    access: 'confirmed',
    budget: null,
    schema: { params: userParams, response: { 204: noReply } },
    async handler(request, reply) {
      const { pk } = request.params as UserParams
      await resetUserFactors(inRequestLanguage(core, request), loggedInUser(request), pk)
      noteUser(request, { id: pk })
      return reply.code(204).send()
    },
  }
}

/** Whoever is logged in, by what their session has proved. */
const enrollerOf = (request: FastifyRequest): Enroller => ({
  user: loggedInUser(request),
  gaveTwoFactors: lastGaveTwoFactors(knownLogin(request) ?? { methods: null }),
})

/** The session of whoever has turned a factor on. */
async function goOn(
  { keeper, device }: FeatureCore,
  request: FastifyRequest,
  reply: FastifyReply,
  user: User,
  renewed: Promise<unknown>,
): Promise<void> {
  try {
    await renewed
  } catch (error) {
    // The factor is on: to say anything else would be a lie. Only this session could not go on.
    request.log.error({ err: error }, 'the session could not go on after a second factor was added')
    await keeper.forget(request, reply)
  }
  markDevice(device, request, reply, user)
}
