import type { TObject } from '@sinclair/typebox'
import { isChecked } from '../../http/input/checkbox.js'
import { forNames, withoutProperties } from '../../http/input/field-schemas.js'
import { newOwnerChoice } from '../../http/input/new-owner-choice.js'
import { emailBody } from '../../http/input/schemas.js'
import { textsIn } from '../../http/input/texts-in.js'
import { linkRoutes } from '../../http/link-routes.js'
import type { MakePage } from '../../http/operation.js'
import { detailReply, noReply } from '../../http/output/schemas.js'
import { type Route, route } from '../../http/route.js'
import { ownersName } from '../../identifiers/account-name.js'
import { type CodeRequests, createCodeRequests } from '../../logins/codes/code-requests.js'
import { isMakersBrowser } from '../../logins/own-browser.js'
import { requestMail } from '../../logins/request-mail.js'
import { besideVisitor } from '../../pages/theme.js'
import type { Visit } from '../../sessions/session-reader.js'
import { apiKeysOf } from '../../tokens/api-key.js'
import type { OpenedLink } from '../../tokens/email-link.js'
import type { User } from '../../user.js'
import { resetEventOf } from '../../users/choose-password.js'
import { newOwnersChoice } from '../../users/ownership/new-owners-choice.js'
import { accountAfter } from '../../users/ownership/table.js'
import type { FeatureCore } from '../feature.js'
import { resetDonePage, resetFormPage } from './pages.js'
import { resetPassword, resetPurposes } from './reset-password.js'
import { resetPasswordWithCode } from './reset-password-with-code.js'
import { resetBody, resetCodeBody, resetLinkReplies } from './schemas.js'

/** An emailed link, its form, and the page after that; with `login.emailCode` also a code. */
export function resetRoutes(core: FeatureCore): Route[] {
  const requests = core.options.login.emailCode
    ? createCodeRequests('reset-code', core.options, core.cookie('reset-code'))
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
      await requestMail(deps, client, 'reset-password', body, requests)
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

function bodyOf<Schema extends TObject>({ options, hasApiKeys }: FeatureCore, schema: Schema): Schema {
  return forNames(hasApiKeys ? schema : withoutProperties(schema, ['end_api_keys']), options.names)
}

/** The code in the same email as the link, for apps with a form of their own. */
function codeRoute(core: FeatureCore, requests: CodeRequests): Route {
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
      errors: ['ACCOUNTS_INVALID_CODE', 'ACCOUNTS_USERNAME_TAKEN'],
      redirects: true,
    },
    access: 'anyone-known',
    // As with a link, it doesn't matter who is logged in in the browser.
    isOpenToEnroll: true,
    budget: 'reset',
    schema: {
      body: bodyOf(core, resetCodeBody),
      response: { 204: noReply },
    },
    async handle({ body, who, client }, deps) {
      const isMaker = isMakersBrowser(deps, client, who)
      const choice = { ...newOwnerChoice(body), endsKeys: isChecked(body.end_api_keys) }
      await resetPasswordWithCode(deps, client, isMaker, requests, body.code, choice)
      return { redirect: core.where.path('reset-done') }
    },
  })
}

/** The link shows a form, which sets the password. */
function formRoutes(core: FeatureCore): Route[] {
  const { options, where, hasApiKeys } = core
  const reply = resetLinkReplies[options.names === 'none' ? 'unnamed' : 'named']
  const formFacts = ({ user, purpose }: OpenedLink, isMaker: (user: User) => boolean) => {
    const event = resetEventOf(purpose, isMaker(user))
    return {
      ...newOwnersChoice(options, event, user),
      keys: apiKeysOf(accountAfter(event, user, options))
        .filter(({ expiresAt }) => hasApiKeys && Date.now() < Date.parse(expiresAt))
        .map(({ name }) => name),
      username: ownersName(options, user),
      lengths: options.password,
    }
  }
  const formOf =
    (who: Visit | null, owner: User, facts: Parameters<typeof resetFormPage>[1]): MakePage =>
    (theme) =>
      resetFormPage(besideVisitor(theme, options, who?.user ?? null, owner), facts)
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
      access: 'anyone-known',
      reply: hasApiKeys ? reply : withoutProperties(reply, ['api_keys']),
      handle({ who, client, ...link }, deps) {
        const facts = formFacts(link, isMakersBrowser(deps, client, who))
        const { asksUsername, profile, keys } = facts
        return {
          body: {
            valid: true,
            ...(asksUsername && { asks_username: true }),
            ...(profile && { profile }),
            ...(hasApiKeys && { api_keys: keys }),
          },
          page: formOf(who, link.user, { ...facts, faults: [], typed: {} }),
        }
      },
    },
    use: {
      operation: {
        id: 'resetPassword',
        summary: 'Set a new password by a link',
        asks: ['signUp'],
        errors: ['ACCOUNTS_USERNAME_TAKEN'],
        redirects: true,
      },
      access: 'anyone-known',
      schema: {
        body: bodyOf(core, resetBody),
        response: { 204: noReply },
      },
      async handle({ body, params, who, client }, deps) {
        const isMaker = isMakersBrowser(deps, client, who)
        const choice = { ...newOwnerChoice(body), endsKeys: isChecked(body.end_api_keys) }
        await resetPassword(deps, client, isMaker, params, choice)
        return { redirect: where.path('reset-done') }
      },
      formAgain({ who, client, body, ...link }, faults, deps) {
        const facts = formFacts(link, isMakersBrowser(deps, client, who))
        return formOf(who, link.user, { ...facts, faults, typed: textsIn(body) })
      },
    },
  })
}
