import { AccountsError } from 'fastify-accounts'
import {
  inRequestLanguage,
  isChecked,
  noteReason,
  ownUser,
  ownUserReply,
  type Route,
  startSession,
  waitingLogin,
} from 'fastify-accounts/features'
import { browserOf, markBrowser } from './browser.js'
import { requestOptions } from './ceremony.js'
import type { PasskeyDeps } from './deps.js'
import { isOn, usablePasskeys } from './factor.js'
import { logInWithPasskey } from './log-in.js'
import { type LoginBody, loginBody, loginOptionsBody, optionsReply, type UseBody } from './schemas.js'

/** Login with a passkey, which identifies the user; or as the second step of a pending login. */
export function loginRoutes(deps: PasskeyDeps): Route[] {
  const { challenges, settings } = deps
  return [
    {
      name: 'login-passkey-options',
      action: 'passkey-options',
      method: 'POST',
      path: '/login/passkey/options/',
      operation: {
        id: 'logInWithPasskeyOptions',
        summary: 'Get the options for logging in with a passkey',
        errors: ['ACCOUNTS_LOGIN_EXPIRED'],
      },
      access: 'anyone',
      budget: 'passkeyOptions',
      schema: { body: loginOptionsBody, response: { 200: optionsReply } },
      async handler(request, reply) {
        const { use } = request.body as UseBody
        const { waiting, user, text } = await waitingLogin(deps, request)
        const isWaiting = waiting !== null && isOn(user)
        if (use === 'factor' && !isWaiting) throw new AccountsError('ACCOUNTS_LOGIN_EXPIRED')
        const browser = markBrowser(deps, request, reply)
        if (use === 'login' || !isWaiting) {
          const { challenge } = challenges.make('login', '', browser)
          return requestOptions(settings, { challenge, allowed: [], isFactor: false })
        }
        const { challenge } = challenges.make('second-step', text, browser)
        return requestOptions(settings, { challenge, allowed: usablePasskeys(user), isFactor: true })
      },
    },
    {
      name: 'login-passkey',
      action: 'login-passkey',
      method: 'POST',
      path: '/login/passkey/',
      operation: {
        id: 'logInWithPasskey',
        summary: 'Log in with a passkey',
        errors: [
          'ACCOUNTS_INVALID_CREDENTIALS',
          'ACCOUNTS_NOT_VERIFIED',
          'ACCOUNTS_DISABLED',
          'ACCOUNTS_CONFLICT',
        ],
        setsSession: true,
      },
      access: 'anyone',
      budget: 'loginPasskey',
      schema: { body: loginBody, response: { 200: ownUserReply(deps.options.fields, deps.options.names) } },
      async handler(request, reply) {
        const { response, remember } = request.body as LoginBody
        const proof = await logInWithPasskey(deps, response, browserOf(deps, request), (reason) =>
          noteReason(request, reason),
        )
        const localized = inRequestLanguage(deps, request)
        return ownUser(await startSession(localized, request, reply, proof, isChecked(remember)))
      },
    },
  ]
}
