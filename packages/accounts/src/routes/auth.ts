import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../deps.js'
import type { ResolvedOptions } from '../options/options.js'
import { changeFormPage, passwordChangedPage } from '../pages/change-form.js'
import { resetDonePage } from '../pages/reset-done.js'
import { resetFormPage } from '../pages/reset-form.js'
import type { PageTheme } from '../pages/theme.js'
import { changePassword } from '../services/change-password.js'
import { logIn } from '../services/log-in.js'
import { requestReset } from '../services/request-reset.js'
import { resetPassword } from '../services/reset-password.js'
import type { DeviceCookie } from '../sessions/device-cookie.js'
import type { SessionKeeper } from '../sessions/session-keeper.js'
import type { SessionList } from '../sessions/session-list.js'
import { accountUser, ownUser } from '../user.js'
import { loggedInUser } from './access.js'
import { noteReason, noteUser } from './audit.js'
import { sendPage, wantsHtml } from './negotiation.js'
import { notMeRoutes } from './not-me.js'
import { ownAccountRoutes } from './own-account.js'
import { ownSessionRoutes } from './own-sessions.js'
import { inRequestLanguage, speak } from './request-language.js'
import type { Route } from './route.js'
import {
  type ChangePasswordBody,
  changePasswordBody,
  detailReply,
  type EmailBody,
  emailBody,
  type LinkParams,
  type LoginBody,
  linkParams,
  loginBody,
  noReply,
  ownUserReply,
  passwordLengthsReply,
  type ResetBody,
  resetBody,
  resetLinkReply,
} from './schemas.js'
import { markDevice, startSession } from './start-session.js'
import { whileThere } from './while-there.js'

type AuthDeps = Deps & {
  keeper: SessionKeeper
  /** `null` where the host keeps the sessions. */
  sessionList: SessionList | null
  device: DeviceCookie
  fields: ResolvedOptions['fields']
  resetDonePath: string
  keepEmailPath: string
  themeOf(request: FastifyRequest): PageTheme
}

/** The routes of logging in and out, and of passwords. */
export function authRoutes(deps: AuthDeps): Route[] {
  const { keeper, device, fields, links, resetDonePath, themeOf } = deps
  const lengths = deps.options.password

  async function changeOwnPassword(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { old_password, new_password, confirm_password } = request.body as ChangePasswordBody
    const hashing = whileThere(inRequestLanguage(deps, request), reply)
    const changed = await changePassword(hashing, loggedInUser(request), {
      oldPassword: old_password,
      newPassword: new_password,
      confirmPassword: confirm_password,
    })
    try {
      await keeper.renew(request, reply, changed, ['pwd'])
    } catch (error) {
      // The password is changed: to say anything else would be a lie. Only this session could not go on.
      request.log.error({ err: error }, 'the session could not go on after a change of password')
      await keeper.forget(request, reply)
    }
    markDevice(device, request, reply, changed)
  }

  return [
    {
      name: 'login',
      action: 'login',
      method: 'POST',
      path: '/login/',
      operation: {
        id: 'login',
        summary: 'Log in',
        errors: [
          'ACCOUNTS_INVALID_CREDENTIALS',
          'ACCOUNTS_NOT_VERIFIED',
          'ACCOUNTS_DISABLED',
          'ACCOUNTS_CONFLICT',
          'ACCOUNTS_THROTTLED',
        ],
      },
      access: 'anyone',
      budget: 'login',
      schema: { body: loginBody, response: { 200: ownUserReply(fields) } },
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
        summary: 'Change the password',
        errors: ['ACCOUNTS_CONFLICT', 'ACCOUNTS_THROTTLED'],
      },
      access: 'logged-in',
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
      operation: { id: 'changePasswordForm', summary: 'Show the form', errors: [] },
      access: 'logged-in',
      budget: null,
      linkPage: true,
      schema: { response: { 200: passwordLengthsReply } },
      async handler(request, reply) {
        const { username } = loggedInUser(request)
        if (!wantsHtml(request)) return { min_length: lengths.minLength, max_length: lengths.maxLength }
        const theme = themeOf(request)
        return sendPage(reply, theme.language, changeFormPage(theme, { username, lengths }))
      },
    },
    {
      name: 'change-password-form',
      action: 'change-password',
      method: 'POST',
      path: '/change-password/form/',
      operation: {
        id: 'sendChangePasswordForm',
        summary: 'Change the password by the form',
        errors: ['ACCOUNTS_CONFLICT', 'ACCOUNTS_THROTTLED'],
      },
      access: 'logged-in',
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
        const { username } = loggedInUser(request)
        return changeFormPage(themeOf(request), { username, lengths, faults })
      },
    },
    {
      name: 'logout',
      action: 'logout',
      method: 'POST',
      path: '/logout/',
      operation: { id: 'logout', summary: 'Log out', errors: ['ACCOUNTS_UNAVAILABLE'] },
      access: 'anyone',
      budget: null,
      schema: { response: { 204: noReply } },
      async handler(request, reply) {
        if (deps.options.session.clearSiteData) reply.header('clear-site-data', '"cookies"')
        noteUser(request, await keeper.end(request, reply))
        return reply.code(204).send()
      },
    },
    {
      name: 'forgot',
      action: 'forgot',
      method: 'POST',
      path: '/forgot/',
      operation: { id: 'forgotPassword', summary: 'Mail a link to choose a new password', errors: [] },
      access: 'anyone',
      budget: 'forgot',
      schema: { body: emailBody, response: { 202: detailReply } },
      async handler(request, reply) {
        const user = await requestReset(inRequestLanguage(deps, request), request.body as EmailBody)
        noteUser(request, user)
        if (user === null) noteReason(request, 'ACCOUNTS_NOT_FOUND')
        reply.code(202)
        return { detail: speak(reply, themeOf(request).language).texts.answers.forgot }
      },
    },
    {
      name: 'reset-done',
      action: 'reset-done',
      method: 'GET',
      path: '/reset/d/',
      operation: { id: 'resetDone', summary: 'The page after a reset', errors: [] },
      access: 'anyone',
      budget: null,
      linkPage: true,
      schema: { response: { 200: detailReply } },
      async handler(request, reply) {
        const theme = themeOf(request)
        if (wantsHtml(request)) return sendPage(reply, theme.language, resetDonePage(theme))
        return { detail: speak(reply, theme.language).texts.answers.reset_done }
      },
    },
    {
      name: 'reset',
      action: 'reset',
      method: 'GET',
      path: '/reset/:uid64/:token/',
      operation: {
        id: 'checkResetLink',
        summary: 'Show the form for a new password, or say whether the link is alive',
        errors: ['ACCOUNTS_INVALID_LINK'],
      },
      access: 'anyone',
      budget: 'reset',
      linkPage: true,
      schema: { params: linkParams, response: { 200: resetLinkReply } },
      async handler(request, reply) {
        const { user } = await links.open('reset-password', request.params as LinkParams)
        noteUser(request, user)
        if (!wantsHtml(request)) return { valid: true }
        const theme = themeOf(request)
        return sendPage(reply, theme.language, resetFormPage(theme, { username: user.username, lengths }))
      },
    },
    {
      name: 'reset',
      action: 'reset',
      method: 'POST',
      path: '/reset/:uid64/:token/',
      operation: {
        id: 'resetPassword',
        summary: 'Set a new password by a link',
        errors: ['ACCOUNTS_INVALID_LINK', 'ACCOUNTS_CONFLICT'],
        redirects: true,
      },
      access: 'anyone',
      budget: 'reset',
      linkPage: true,
      schema: { params: linkParams, body: resetBody, response: { 204: noReply } },
      async handler(request, reply) {
        const { new_password, confirm_password } = request.body as ResetBody
        const passwords = { newPassword: new_password, confirmPassword: confirm_password }
        const user = await resetPassword(
          whileThere(inRequestLanguage(deps, request), reply),
          request.params as LinkParams,
          passwords,
        )
        noteUser(request, user)
        markDevice(device, request, reply, user)
        if (wantsHtml(request)) return reply.redirect(resetDonePath, 303)
        return reply.code(204).send()
      },
      async formPage(request, faults) {
        const { user } = await links.open('reset-password', request.params as LinkParams)
        return resetFormPage(themeOf(request), { username: user.username, lengths, faults })
      },
    },
    {
      name: 'me',
      action: 'me',
      method: 'GET',
      path: '/me/',
      operation: { id: 'me', summary: 'Who is logged in', errors: [] },
      access: 'logged-in',
      budget: null,
      schema: { response: { 200: ownUserReply(fields) } },
      handler: async (request) => ownUser(accountUser(loggedInUser(request))),
    },
    ...ownAccountRoutes(deps),
    ...ownSessionRoutes(deps),
    ...notMeRoutes(deps),
  ]
}
