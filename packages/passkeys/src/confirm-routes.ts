import { AccountsError } from 'fastify-accounts'
import { ownRecord, type Route, route } from 'fastify-accounts/features'
import { markBrowser } from './browser.js'
import { requestOptions } from './ceremony.js'
import type { PasskeyDeps } from './deps.js'
import { isOn, usablePasskeys } from './factor.js'
import { optionsReply } from './schemas.js'

/** Confirmation with a passkey of the logged-in user, for POST /confirm/. */
export function confirmRoutes(deps: PasskeyDeps): Route[] {
  return [
    route({
      name: 'confirm-passkey-options',
      action: 'passkey-options',
      method: 'POST',
      path: '/confirm/passkey/options/',
      operation: {
        id: 'confirmOptions',
        host: 'confirmation',
        summary: 'Get the options for confirming with a passkey',
        asks: [],
        errors: ['ACCOUNTS_NOT_FOUND'],
      },
      access: 'logged-in',
      isOpenToEnroll: true,
      budget: 'passkeyOptions',
      schema: { response: { 200: optionsReply } },
      async handle({ who, client }) {
        const user = await ownRecord(deps, who.user)
        const allowed = usablePasskeys(user)
        if (allowed.length === 0) throw new AccountsError('ACCOUNTS_NOT_FOUND', { reason: 'no_passkey' })
        const { challenge } = deps.challenges.make('confirm', user.id, markBrowser(deps, client))
        return { body: await requestOptions(deps.settings, { challenge, allowed, isFactor: isOn(user) }) }
      },
    }),
  ]
}
