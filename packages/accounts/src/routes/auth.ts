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
import { clientOf } from '../sessions/client.js'
import type { DeviceCookie } from '../sessions/device-cookie.js'
import type { SessionKeeper } from '../sessions/session-keeper.js'
import type { SessionList } from '../sessions/session-list.js'
import { accountUser, ownUser, type User } from '../user.js'
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

type AuthDeps = Deps & {
  keeper: SessionKeeper
  /** `null` where the host keeps the sessions. */
  sessionList: SessionList | null
  device: DeviceCookie
  fields: ResolvedOptions['fields']
  resetDonePath: string
  themeOf(request: FastifyRequest): PageTheme
}

/** The routes that begin and renew sessions: these alone run @fastify/session. */
export function sessionRoutes(deps: AuthDeps): Route[] {
  const { keeper, device, fields, themeOf } = deps
  const { markDevice, onSend } = deviceMarker(device)
  const lengths = deps.options.password

  async function changeOwnPassword(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { old_password, new_password, confirm_password } = request.body as ChangePasswordBody
    const changed = await changePassword(inRequestLanguage(deps, request), loggedInUser(request), {
      oldPassword: old_password,
      newPassword: new_password,
      confirmPassword: confirm_password,
    })
    try {
      await keeper.renew(request, reply, changed)
    } catch (error) {
      // The password is changed: to say anything else would be a lie. Only this session could not go on.
      request.log.error({ err: error }, 'the session could not go on after a change of password')
      await keeper.forget(request, reply)
    }
    markDevice(request, changed)
  }

  return [
    {
      name: 'login',
      action: 'login',
      method: 'POST',
      path: '/login/',
      access: 'anyone',
      budget: 'login',
      schema: { body: loginBody, response: { 200: ownUserReply(fields) } },
      async handler(request, reply) {
        const { remember = false, ...credentials } = request.body as LoginBody
        const user = await logIn(inRequestLanguage(deps, request), credentials, {
          client: clientOf(request, deps.options.session),
          deviceOf(found) {
            noteUser(request, found)
            return device.read(request, found)
          },
        })
        await keeper.start(request, reply, user, remember !== false && remember !== 'false')
        markDevice(request, user)
        return ownUser(user)
      },
      onSend,
    },
    {
      name: 'change-password',
      action: 'change-password',
      method: 'POST',
      path: '/change-password/',
      access: 'logged-in',
      budget: null,
      schema: { body: changePasswordBody, response: { 204: noReply } },
      async handler(request, reply) {
        await changeOwnPassword(request, reply)
        return reply.code(204).send()
      },
      onSend,
    },
    {
      name: 'change-password-form',
      action: 'change-password',
      method: 'GET',
      path: '/change-password/form/',
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
      access: 'logged-in',
      budget: null,
      linkPage: true,
      schema: { body: changePasswordBody, response: { 204: noReply } },
      async handler(request, reply) {
        await changeOwnPassword(request, reply)
        const theme = themeOf(request)
        if (wantsHtml(request)) return sendPage(reply, theme.language, passwordChangedPage(theme))
        return reply.code(204).send()
      },
      onSend,
      async formPage(request, faults) {
        const { username } = loggedInUser(request)
        return changeFormPage(themeOf(request), { username, lengths, faults })
      },
    },
  ]
}

/**
 * Marks the device of whoever has just proven who they are; a change of password has made the old mark void. Written
 * last, so that the session stays the first cookie of the answer.
 */
function deviceMarker(device: DeviceCookie): {
  markDevice(request: FastifyRequest, user: User): void
  onSend: NonNullable<Route['onSend']>
} {
  const proven = new WeakMap<FastifyRequest, User>()
  return {
    markDevice: (request, user) => void proven.set(request, user),
    async onSend(request, reply) {
      const user = proven.get(request)
      if (user === undefined) return
      try {
        device.write(request, reply, user)
      } catch (error) {
        // The answer is on its way, with its session. Whoever is not marked is a stranger next time.
        request.log.warn({ err: error }, 'accounts: a device could not be marked')
      }
    },
  }
}

/** The other auth routes. */
export function authRoutes(deps: AuthDeps): Route[] {
  const { keeper, device, fields, links, resetDonePath, themeOf } = deps
  const { markDevice, onSend } = deviceMarker(device)
  const lengths = deps.options.password
  return [
    {
      name: 'logout',
      action: 'logout',
      method: 'POST',
      path: '/logout/',
      access: 'anyone',
      budget: null,
      schema: { response: { 204: noReply } },
      async handler(request, reply) {
        reply.header('clear-site-data', '"cookies"')
        noteUser(request, await keeper.end(request, reply))
        return reply.code(204).send()
      },
    },
    {
      name: 'forgot',
      action: 'forgot',
      method: 'POST',
      path: '/forgot/',
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
      access: 'anyone',
      budget: 'reset',
      linkPage: true,
      schema: { params: linkParams, body: resetBody, response: { 204: noReply } },
      async handler(request, reply) {
        const { new_password, confirm_password } = request.body as ResetBody
        const passwords = { newPassword: new_password, confirmPassword: confirm_password }
        const user = await resetPassword(
          inRequestLanguage(deps, request),
          request.params as LinkParams,
          passwords,
          (found) => noteUser(request, found),
        )
        markDevice(request, user)
        if (wantsHtml(request)) return reply.redirect(resetDonePath, 303)
        return reply.code(204).send()
      },
      onSend,
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
