import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Access, loggedInUser } from '../../http/access.js'
import { keepLoggedIn } from '../../http/keep-logged-in.js'
import { sendPage, wantsHtml } from '../../http/negotiation.js'
import { inRequestLanguage } from '../../http/request-language.js'
import type { Route } from '../../http/route.js'
import { noReply, passwordLengthsReply } from '../../http/schemas/replies.js'
import { type ChangePasswordBody, changePasswordBody } from '../../http/schemas/requests.js'
import { whileThere } from '../../http/while-there.js'
import { ownersName } from '../../identifiers/account-name.js'
import { holdsPassword, type User } from '../../user.js'
import type { FeatureCore } from '../feature.js'
import { changePassword } from './change-password.js'
import { changeFormPage, passwordChangedPage } from './pages.js'
import { removePassword } from './remove-password.js'

declare module '../../feature-names.js' {
  interface FeatureActions {
    'change-password': true
    'remove-password': true
  }
}

/** Users change their own password, set a first one, or remove it. */
export function passwordRoutes(core: FeatureCore): Route[] {
  return [changeRoute(core), ...formRoutes(core), removeRoute(core)]
}

/** What the session continues after, for the log. */
const after = 'a change of password'

/** With a second factor, a password alone allows nothing. A first one needs no old one, and is another way to log in. */
function accessFor(user: User): Access | null {
  if (!holdsPassword(user)) return 'owner'
  return user.factors.length > 0 ? 'confirmed' : null
}

function changeRoute(core: FeatureCore): Route {
  return {
    name: 'change-password',
    action: 'change-password',
    method: 'POST',
    path: '/change-password/',
    operation: {
      id: 'changePassword',
      summary: 'Change the password, or set a first one after a recent login',
      errors: ['ACCOUNTS_CONFIRMATION_REQUIRED', 'ACCOUNTS_CONFLICT', 'ACCOUNTS_THROTTLED'],
      setsSession: true,
    },
    access: 'logged-in',
    accessFor,
    budget: 'ownPassword',
    schema: { body: changePasswordBody, response: { 204: noReply } },
    async handler(request, reply) {
      await changeOwnPassword(core, request, reply)
      return reply.code(204).send()
    },
  }
}

/** The same as a page: its form, and the submission. */
function formRoutes(core: FeatureCore): Route[] {
  const { themeOf } = core
  const lengths = core.options.password
  const formOf = (request: FastifyRequest) => {
    const owner = loggedInUser(request)
    return { username: ownersName(core.options, owner), isFirst: !holdsPassword(owner), lengths }
  }

  return [
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
        setsSession: true,
      },
      access: 'logged-in',
      accessFor,
      budget: 'ownPassword',
      linkPage: true,
      schema: { body: changePasswordBody, response: { 204: noReply } },
      async handler(request, reply) {
        await changeOwnPassword(core, request, reply)
        const theme = themeOf(request)
        if (wantsHtml(request)) return sendPage(reply, theme.language, passwordChangedPage(theme))
        return reply.code(204).send()
      },
      async formPage(request, faults) {
        return changeFormPage(themeOf(request), { ...formOf(request), faults })
      },
    },
  ]
}

function removeRoute(core: FeatureCore): Route {
  return {
    name: 'password',
    action: 'remove-password',
    method: 'DELETE',
    path: '/password/',
    operation: {
      id: 'removePassword',
      summary: 'Remove the password, unless it is the last way to log in',
      errors: ['ACCOUNTS_NOT_FOUND', 'ACCOUNTS_CONFLICT', 'ACCOUNTS_THROTTLED'],
      setsSession: true,
    },
    access: 'owner',
    budget: null,
    schema: { response: { 204: noReply } },
    async handler(request, reply) {
      const localized = inRequestLanguage(core, request)
      const owner = loggedInUser(request)
      await keepLoggedIn(localized, request, reply, { methods: [], after }, (own) =>
        removePassword(own, owner),
      )
      return reply.code(204).send()
    },
  }
}

async function changeOwnPassword(
  core: FeatureCore,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const owner = loggedInUser(request)
  const { old_password, new_password, confirm_password } = request.body as ChangePasswordBody
  const hashing = whileThere(inRequestLanguage(core, request), reply)
  // A first password proves nothing.
  const methods = holdsPassword(owner) ? ['pwd'] : []
  await keepLoggedIn(hashing, request, reply, { methods, after }, (own) =>
    changePassword(own, owner, {
      oldPassword: old_password,
      newPassword: new_password,
      confirmPassword: confirm_password,
    }),
  )
}
