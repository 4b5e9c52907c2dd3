import type { Static } from '@sinclair/typebox'
import type { FieldError } from '../../errors.js'
import { isChecked } from '../../http/input/checkbox.js'
import { emailBody } from '../../http/input/schemas.js'
import { linkRoutes } from '../../http/link-routes.js'
import type { MakePage } from '../../http/operation.js'
import { detailReply, noReply } from '../../http/output/schemas.js'
import { type Route, route } from '../../http/route.js'
import { ownersName } from '../../identifiers/account-name.js'
import { askedBy, askedLifetime, type CodeRequests, createAskedCodes } from '../../logins/codes/asked-code.js'
import { knownDevice } from '../../logins/known-device.js'
import { noteNewPassword } from '../../logins/note-new-password.js'
import { isOwnBrowser } from '../../logins/own-browser.js'
import type { StoredUser, User } from '../../user.js'
import type { FeatureCore } from '../feature.js'
import { keptKeys } from './kept-keys.js'
import { resetDonePage, resetFormPage } from './pages.js'
import { requestPasswordReset } from './request-password-reset.js'
import type { NewPasswordChoice } from './reset-by-proof.js'
import { resetPassword, resetPurposes } from './reset-password.js'
import { resetPasswordWithCode } from './reset-password-with-code.js'
import { resetBodies, resetCodeBodies, resetLinkReplies } from './schemas.js'

/** An emailed link, its form, and the page after that; with `login.emailCode` also a code. */
export function resetRoutes(core: FeatureCore): Route[] {
  const requests = core.options.login.emailCode
    ? { codes: createAskedCodes('reset-code', core.options), cookie: core.cookie('reset-code') }
    : null
  return [
    forgotRoute(requests),
    doneRoute(),
    ...(requests === null ? [] : [codeRoute(core, requests)]),
    ...formRoutes(core),
  ]
}

/** @param requests `null`: its email only has the link */
function forgotRoute(requests: CodeRequests | null): Route {
  return route({
    name: 'forgot',
    action: 'forgot',
    method: 'POST',
    path: '/forgot/',
    operation: {
      id: 'requestPasswordReset',
      host: 'createPasswordLink()',
      summary: 'Email a link for choosing a new password',
    },
    access: 'anyone',
    budget: 'forgot',
    schema: { body: emailBody, response: { 202: detailReply } },
    async handle({ body, client }, deps) {
      const codes = requests?.codes ?? null
      const { user, text } = await requestPasswordReset(deps, codes, body, isOwnBrowser(deps, client))
      knownDevice(deps, client, user, 'password')
      client.note(user === null ? { user, reason: 'ACCOUNTS_NOT_FOUND' } : { user })
      if (text !== null) requests?.cookie.write(client, text, askedLifetime / 1000)
      return { status: 202, message: requests === null ? 'forgot' : 'forgot_code' }
    },
  })
}

function doneRoute(): Route {
  return route({
    name: 'reset-done',
    action: 'reset-done',
    method: 'GET',
    path: '/reset/d/',
    operation: { id: 'showResetDone', host: 'page', summary: 'Show the page after a reset' },
    access: 'anyone',
    budget: null,
    linkPage: true,
    schema: { response: { 200: detailReply } },
    handle: () => ({ message: 'reset_done', page: resetDonePage }),
  })
}

/** The code in the same email as the link, for apps with a form of their own. */
function codeRoute({ pending: { devices }, where, hasApiKeys }: FeatureCore, requests: CodeRequests): Route {
  return route({
    name: 'reset-code',
    action: 'reset',
    method: 'POST',
    path: '/reset/code/',
    operation: {
      id: 'resetPasswordWithCode',
      host: 'link',
      summary: 'Set a new password with an emailed code, in the browser that requested it',
      asks: ['signUp'],
      errors: ['ACCOUNTS_INVALID_CODE'],
      redirects: true,
    },
    access: 'anyone',
    // As with a link, it doesn't matter who is logged in in the browser.
    isOpenToEnroll: true,
    budget: 'reset',
    schema: {
      body: resetCodeBodies[hasApiKeys ? 'keys' : 'noKeys'] as typeof resetCodeBodies.keys,
      response: { 204: noReply },
    },
    async handle({ body, client }, deps) {
      const typed = {
        request: askedBy(client, requests),
        code: body.code,
        deviceOf: (user: User | null) => knownDevice(deps, client, user),
      }
      const done = await resetPasswordWithCode(deps, devices, client, typed, choiceOf(body))
      // It has been used, and no longer works.
      requests.cookie.clear(client)
      noteNewPassword(deps, client, done)
      return { redirect: where.path('reset-done') }
    },
  })
}

/** The link shows a form, which sets the password. */
function formRoutes({ options, pending: { devices }, where, hasApiKeys }: FeatureCore): Route[] {
  const schemas = hasApiKeys ? 'keys' : 'noKeys'
  const keysOf = (user: StoredUser): string[] => (hasApiKeys ? keptKeys(options, user) : [])
  const form = (user: StoredUser, faults: readonly FieldError[] = []): MakePage => {
    const username = ownersName(options, user)
    const facts = { username, lengths: options.password, faults, keys: keysOf(user) }
    return (theme) => resetFormPage(theme, facts)
  }
  return linkRoutes({
    name: 'reset',
    action: 'reset',
    path: '/reset/',
    budget: 'reset',
    purpose: resetPurposes,
    show: {
      operation: {
        id: 'checkResetLink',
        summary: 'Show the form for a new password, or tell whether the link is valid',
      },
      reply: resetLinkReplies[schemas],
      handle: ({ user }) => ({
        ...(hasApiKeys && { body: { valid: true, api_keys: keysOf(user) } }),
        page: form(user),
      }),
    },
    use: {
      operation: {
        id: 'resetPassword',
        summary: 'Set a new password by a link',
        asks: ['signUp'],
        redirects: true,
      },
      schema: { body: resetBodies[schemas] as typeof resetBodies.keys, response: { 204: noReply } },
      async handle({ body, params, client }, deps) {
        noteNewPassword(deps, client, await resetPassword(deps, devices, client, params, choiceOf(body)))
        return { redirect: where.path('reset-done') }
      },
      formAgain: ({ user }, faults) => form(user, faults),
    },
  })
}

function choiceOf(body: Static<typeof resetBodies.keys>): NewPasswordChoice {
  return {
    password: body.new_password,
    confirmPassword: body.confirm_password,
    endsKeys: isChecked(body.end_api_keys),
  }
}
