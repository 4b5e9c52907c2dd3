import { noteHandOver, noteReason, noteUser } from '../../http/audit.js'
import { sendPage, wantsHtml } from '../../http/negotiation.js'
import { isOwnBrowser } from '../../http/own-browser.js'
import { inRequestLanguage, respondIn } from '../../http/request-language.js'
import type { Route } from '../../http/route.js'
import { detailReply, linkReply, noReply } from '../../http/schemas/replies.js'
import {
  type EmailBody,
  emailBody,
  type LinkParams,
  linkParams,
  type ResetBody,
  resetBody,
} from '../../http/schemas/requests.js'
import { markDevice } from '../../http/start-session.js'
import { whileThere } from '../../http/while-there.js'
import { ownersName } from '../../identifiers/account-name.js'
import type { FeatureCore } from '../feature.js'
import { resetDonePage } from './done-page.js'
import { resetFormPage } from './form-page.js'
import { requestPasswordReset } from './request-password-reset.js'
import { resetPassword } from './reset-password.js'

declare module '../../feature-names.js' {
  interface FeatureActions {
    forgot: true
    reset: true
    'reset-done': true
  }
}

/** An emailed link, its form, and the page after that. */
export function resetRoutes(core: FeatureCore): Route[] {
  return [forgotRoute(core), doneRoute(core), ...formRoutes(core)]
}

function forgotRoute(core: FeatureCore): Route {
  return {
    name: 'forgot',
    action: 'forgot',
    method: 'POST',
    path: '/forgot/',
    operation: {
      id: 'requestPasswordReset',
      summary: 'Email a link for choosing a new password',
      errors: [],
    },
    access: 'anyone',
    budget: 'forgot',
    schema: { body: emailBody, response: { 202: detailReply } },
    async handler(request, reply) {
      const user = await requestPasswordReset(
        inRequestLanguage(core, request),
        request.body as EmailBody,
        isOwnBrowser(core, request),
      )
      noteUser(request, user)
      if (user === null) noteReason(request, 'ACCOUNTS_NOT_FOUND')
      reply.code(202)
      return { detail: respondIn(reply, core.themeOf(request).language).texts.responses.forgot }
    },
  }
}

function doneRoute(core: FeatureCore): Route {
  return {
    name: 'reset-done',
    action: 'reset-done',
    method: 'GET',
    path: '/reset/d/',
    operation: { id: 'showResetDone', summary: 'Show the page after a reset', errors: [] },
    access: 'anyone',
    budget: null,
    linkPage: true,
    schema: { response: { 200: detailReply } },
    async handler(request, reply) {
      const theme = core.themeOf(request)
      if (wantsHtml(request)) return sendPage(reply, theme.language, resetDonePage(theme))
      return { detail: respondIn(reply, theme.language).texts.responses.reset_done }
    },
  }
}

/** The form of the link: GET shows it, POST sets the password. */
function formRoutes(core: FeatureCore): Route[] {
  const { device, links, themeOf, where } = core
  const lengths = core.options.password
  return [
    {
      name: 'reset',
      action: 'reset',
      method: 'GET',
      path: '/reset/:uid64/:token/',
      operation: {
        id: 'checkResetLink',
        summary: 'Show the form for a new password, or tell whether the link is valid',
        errors: ['ACCOUNTS_INVALID_LINK'],
      },
      access: 'anyone',
      budget: 'reset',
      linkPage: true,
      schema: { params: linkParams, response: { 200: linkReply } },
      async handler(request, reply) {
        const { user } = await links.open('reset-password', request.params as LinkParams)
        noteUser(request, user)
        if (!wantsHtml(request)) return { valid: true }
        const theme = themeOf(request)
        return sendPage(
          reply,
          theme.language,
          resetFormPage(theme, { username: ownersName(core.options, user), lengths }),
        )
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
        const { user, isHandedOver } = await resetPassword(
          whileThere(inRequestLanguage(core, request), reply),
          core.pending.devices,
          request.params as LinkParams,
          passwords,
        )
        noteUser(request, user)
        if (isHandedOver) noteHandOver(request, user)
        // A known device also has its own budget for guessing second factors, and none was given here.
        markDevice(device, request, reply, user, user.factors.length === 0 ? undefined : 'password')
        if (wantsHtml(request)) return reply.redirect(where.path('reset-done'), 303)
        return reply.code(204).send()
      },
      async formPage(request, faults) {
        const { user } = await links.open('reset-password', request.params as LinkParams)
        return resetFormPage(themeOf(request), { username: ownersName(core.options, user), lengths, faults })
      },
    },
  ]
}
