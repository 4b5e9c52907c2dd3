import type { FieldError } from '../../errors.js'
import { isChecked } from '../../http/checkbox.js'
import { linkRoutes } from '../../http/link-routes.js'
import type { MakePage } from '../../http/operation.js'
import { type Route, route } from '../../http/route.js'
import { detailReply, noReply } from '../../http/schemas/replies.js'
import { emailBody } from '../../http/schemas/requests.js'
import { ownersName } from '../../identifiers/account-name.js'
import { knownDevice } from '../../logins/known-device.js'
import { isOwnBrowser } from '../../logins/own-browser.js'
import type { StoredUser } from '../../user.js'
import type { FeatureCore } from '../feature.js'
import { keptKeys } from './kept-keys.js'
import { resetDonePage, resetFormPage } from './pages.js'
import { requestPasswordReset } from './request-password-reset.js'
import { resetPassword, resetPurposes } from './reset-password.js'
import { resetBodies, resetLinkReplies } from './schemas.js'

/** An emailed link, its form, and the page after that. */
export function resetRoutes(core: FeatureCore): Route[] {
  return [forgotRoute(), doneRoute(), ...formRoutes(core)]
}

function forgotRoute(): Route {
  return route({
    name: 'forgot',
    action: 'forgot',
    method: 'POST',
    path: '/forgot/',
    operation: { id: 'requestPasswordReset', summary: 'Email a link for choosing a new password' },
    access: 'anyone',
    budget: 'forgot',
    schema: { body: emailBody, response: { 202: detailReply } },
    async handle({ body, client }, deps) {
      const user = await requestPasswordReset(deps, body, isOwnBrowser(deps, client))
      knownDevice(deps, client, user, 'password')
      client.note(user === null ? { user, reason: 'ACCOUNTS_NOT_FOUND' } : { user })
      return { status: 202, message: 'forgot' }
    },
  })
}

function doneRoute(): Route {
  return route({
    name: 'reset-done',
    action: 'reset-done',
    method: 'GET',
    path: '/reset/d/',
    operation: { id: 'showResetDone', summary: 'Show the page after a reset' },
    access: 'anyone',
    budget: null,
    linkPage: true,
    schema: { response: { 200: detailReply } },
    handle: () => ({ message: 'reset_done', page: resetDonePage }),
  })
}

/** The link shows a form, which sets the password. */
function formRoutes({ options, pending: { devices }, where, apiKeys }: FeatureCore): Route[] {
  const schemas = apiKeys === null ? 'noKeys' : 'keys'
  const keysOf = (user: StoredUser): string[] => (apiKeys === null ? [] : keptKeys(options, user))
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
        ...(apiKeys !== null && { body: { valid: true, api_keys: keysOf(user) } }),
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
        const pair = { password: body.new_password, confirmPassword: body.confirm_password }
        const endsKeys = isChecked(body.end_api_keys)
        const { user, isHandedOver } = await resetPassword(deps, devices, client, params, pair, endsKeys)
        client.note(isHandedOver ? { user, handedOver: user } : { user })
        // A known device also has its own budget for guessing second factors, and none was given here.
        deps.device.write(client, user, user.factors.length === 0 ? undefined : 'password')
        return { redirect: where.path('reset-done') }
      },
      formAgain: ({ user }, faults) => form(user, faults),
    },
  })
}
