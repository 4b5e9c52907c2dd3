import { AccountsError } from 'fastify-accounts'
import { loggedInUser, ownRecord, type Route } from 'fastify-accounts/features'
import { markBrowser } from './browser.js'
import { requestOptions } from './ceremony.js'
import type { PasskeyDeps } from './deps.js'
import { isOn, usablePasskeys } from './factor.js'
import { optionsReply } from './schemas.js'

/** Confirmation with a passkey of the logged-in user, for POST /confirm/. */
export function confirmRoutes(deps: PasskeyDeps): Route[] {
  return [
    {
      name: 'confirm-passkey-options',
      action: 'passkey-options',
      method: 'POST',
      path: '/confirm/passkey/options/',
      operation: {
        id: 'confirmOptions',
        summary: 'Get the options for confirming with a passkey',
        errors: ['ACCOUNTS_NOT_FOUND'],
      },
      access: 'logged-in',
      isOpenToEnroll: true,
      budget: 'passkeyOptions',
      schema: { response: { 200: optionsReply } },
      async handler(request, reply) {
        const user = await ownRecord(deps, loggedInUser(request))
        if (usablePasskeys(user).length === 0) throw new AccountsError('ACCOUNTS_NOT_FOUND')
        const { challenge } = deps.challenges.make('confirm', user.id, markBrowser(deps, request, reply))
        return requestOptions(deps.settings, {
          challenge,
          allowed: usablePasskeys(user),
          isFactor: isOn(user),
        })
      },
    },
  ]
}
