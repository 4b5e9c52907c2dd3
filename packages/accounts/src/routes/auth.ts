import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../deps.js'
import { ownersName } from '../identifiers/account-name.js'
import type { Factor } from '../logins/factor.js'
import type { ResolvedOptions } from '../options/resolve.js'
import { changeFormPage, passwordChangedPage } from '../pages/change-form.js'
import type { PageTheme } from '../pages/theme.js'
import { changePassword } from '../services/change-password.js'
import { logIn } from '../services/log-in.js'
import { removePassword } from '../services/remove-password.js'
import type { DeviceCookie } from '../sessions/device-cookie.js'
import type { SessionKeeper } from '../sessions/session-keeper.js'
import { holdsPassword, ownUser, type User } from '../user.js'
import { loggedInUser } from './access.js'
import { noteUser } from './audit.js'
import { confirmRoutes } from './confirm.js'
import type { Confirmation } from './confirmation.js'
import { sendPage, wantsHtml } from './negotiation.js'
import { ownAccountRoutes } from './own-account.js'
import { inRequestLanguage } from './request-language.js'
import type { Route } from './route.js'
import {
  type ChangePasswordBody,
  changePasswordBody,
  type LoginBody,
  loginBody,
  noReply,
  ownUserReply,
  passwordLengthsReply,
} from './schemas.js'
import { markDevice, type Pending, startSession } from './start-session.js'
import { whileThere } from './while-there.js'

declare module '../feature-names.js' {
  interface FeatureActions {
    login: true
    'change-password': true
    'remove-password': true
    logout: true
    me: true
  }
}

type AuthDeps = Deps & {
  keeper: SessionKeeper
  device: DeviceCookie
  pending: Pending
  factors: readonly Factor[]
  confirmations: readonly Confirmation[]
  fields: ResolvedOptions['fields']
  themeOf(request: FastifyRequest): PageTheme
}

/** The routes of logging in and out, and of passwords. */
export function authRoutes(deps: AuthDeps): Route[] {
  const { keeper, device, fields, themeOf } = deps
  const lengths = deps.options.password

  async function changeOwnPassword(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const owner = loggedInUser(request)
    const { old_password, new_password, confirm_password } = request.body as ChangePasswordBody
    const hashing = whileThere(inRequestLanguage(deps, request), reply)
    const changed = await changePassword(hashing, owner, {
      oldPassword: old_password,
      newPassword: new_password,
      confirmPassword: confirm_password,
    })
    // A first one proves nothing.
    await goOn(request, reply, changed, holdsPassword(owner) ? ['pwd'] : [])
  }

  /** The session of whoever has just ended all of them, under a new id. */
  async function goOn(
    request: FastifyRequest,
    reply: FastifyReply,
    changed: User,
    methods: readonly string[],
  ): Promise<void> {
    try {
      await keeper.renew(request, reply, changed, methods)
    } catch (error) {
      // The password is changed: to say anything else would be a lie. Only this session could not go on.
      request.log.error({ err: error }, 'the session could not go on after a change of password')
      await keeper.forget(request, reply)
    }
    markDevice(device, request, reply, changed)
  }

  // What an account with a second factor may do after a password alone is nothing. A first password takes no old one.
  const mustConfirm = (user: User): boolean => user.factors.length > 0 || !holdsPassword(user)

  const formOf = (request: FastifyRequest) => {
    const owner = loggedInUser(request)
    return { username: ownersName(deps.options, owner), isFirst: !holdsPassword(owner), lengths }
  }

  return [
    {
      name: 'login',
      action: 'login',
      method: 'POST',
      path: '/login/',
      operation: {
        id: 'logIn',
        summary: 'Log in',
        errors: [
          'ACCOUNTS_INVALID_CREDENTIALS',
          'ACCOUNTS_SECOND_FACTOR_REQUIRED',
          'ACCOUNTS_NOT_VERIFIED',
          'ACCOUNTS_DISABLED',
          'ACCOUNTS_CONFLICT',
          'ACCOUNTS_THROTTLED',
        ],
      },
      access: 'anyone',
      budget: 'login',
      // Who might be known is found out by the handler.
      precheck: (request) => device.isIn(request) || deps.passwords.admit('stranger'),
      schema: { body: loginBody(deps.options), response: { 200: ownUserReply(fields, deps.options.names) } },
      async handler(request, reply) {
        const { remember = false, ...credentials } = request.body as LoginBody
        const hashing = whileThere(deps, reply)
        const proof = await logIn(hashing, credentials, (user) => device.read(request, user))
        const remembers = remember !== false && remember !== 'false'
        const user = await startSession(inRequestLanguage(deps, request), request, reply, proof, remembers)
        return ownUser(user)
      },
    },
    {
      name: 'change-password',
      action: 'change-password',
      method: 'POST',
      path: '/change-password/',
      operation: {
        id: 'changePassword',
        summary: 'Change the password, or set a first one after a recent login',
        errors: ['ACCOUNTS_CONFIRMATION_REQUIRED', 'ACCOUNTS_CONFLICT', 'ACCOUNTS_THROTTLED'],
      },
      access: 'logged-in',
      mustConfirm,
      budget: 'ownPassword',
      schema: { body: changePasswordBody, response: { 204: noReply } },
      async handler(request, reply) {
        await changeOwnPassword(request, reply)
        return reply.code(204).send()
      },
    },
    {
      name: 'change-password-form',
      action: 'change-password',
      method: 'GET',
      path: '/change-password/form/',
      operation: { id: 'showChangePasswordForm', summary: 'Show the form', errors: [] },
      access: 'logged-in',
      budget: null,
      linkPage: true,
      schema: { response: { 200: passwordLengthsReply } },
      async handler(request, reply) {
        if (!wantsHtml(request)) return { min_length: lengths.minLength, max_length: lengths.maxLength }
        const theme = themeOf(request)
        return sendPage(reply, theme.language, changeFormPage(theme, formOf(request)))
      },
    },
    {
      name: 'change-password-form',
      action: 'change-password',
      method: 'POST',
      path: '/change-password/form/',
      operation: {
        id: 'submitChangePasswordForm',
        summary: 'Change the password by the form',
        errors: ['ACCOUNTS_CONFIRMATION_REQUIRED', 'ACCOUNTS_CONFLICT', 'ACCOUNTS_THROTTLED'],
      },
      access: 'logged-in',
      mustConfirm,
      budget: 'ownPassword',
      linkPage: true,
      schema: { body: changePasswordBody, response: { 204: noReply } },
      async handler(request, reply) {
        await changeOwnPassword(request, reply)
        const theme = themeOf(request)
        if (wantsHtml(request)) return sendPage(reply, theme.language, passwordChangedPage(theme))
        return reply.code(204).send()
      },
      async formPage(request, faults) {
        return changeFormPage(themeOf(request), { ...formOf(request), faults })
      },
    },
    {
      name: 'password',
      action: 'remove-password',
      method: 'DELETE',
      path: '/password/',
      operation: {
        id: 'removePassword',
        summary: 'Remove the password, unless it is the last way to log in',
        errors: ['ACCOUNTS_NOT_FOUND', 'ACCOUNTS_CONFLICT', 'ACCOUNTS_THROTTLED'],
      },
      access: 'confirmed',
      budget: null,
      schema: { response: { 204: noReply } },
      async handler(request, reply) {
        const changed = await removePassword(inRequestLanguage(deps, request), loggedInUser(request))
        await goOn(request, reply, changed, [])
        return reply.code(204).send()
      },
    },
    {
      name: 'logout',
      action: 'logout',
      method: 'POST',
      path: '/logout/',
      operation: { id: 'logOut', summary: 'Log out', errors: ['ACCOUNTS_UNAVAILABLE'] },
      access: 'anyone',
      isOpenToEnroll: true,
      budget: null,
      schema: { response: { 204: noReply } },
      async handler(request, reply) {
        if (deps.options.session.clearSiteData) reply.header('clear-site-data', '"cookies"')
        noteUser(request, await keeper.end(request, reply))
        return reply.code(204).send()
      },
    },
    {
      name: 'me',
      action: 'me',
      method: 'GET',
      path: '/me/',
      operation: { id: 'showMe', summary: 'Who is logged in', errors: [] },
      access: 'logged-in',
      isOpenToEnroll: true,
      budget: null,
      schema: { response: { 200: ownUserReply(fields, deps.options.names) } },
      handler: async (request) => ownUser(loggedInUser(request)),
    },
    ...ownAccountRoutes(deps),
    ...confirmRoutes(deps),
  ]
}
