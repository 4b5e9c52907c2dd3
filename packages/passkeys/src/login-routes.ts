import { AccountsError } from 'fastify-accounts'
import {
  completing,
  finishLogin,
  isChecked,
  knownDevice,
  ownUser,
  ownUserReply,
  type Route,
  route,
  waitingLogin,
  withSignUpHint,
} from 'fastify-accounts/features'
import { markBrowser } from './browser.js'
import { requestOptions } from './ceremony.js'
import type { PasskeyDeps } from './deps.js'
import { isOn, usablePasskeys } from './factor.js'
import { logInWithPasskey } from './log-in-with-passkey.js'
import { loginBody, loginOptionsBody, optionsReply } from './schemas.js'

/** Login with a passkey, which identifies the user; or as the second step of a pending login. */
export function loginRoutes(deps: PasskeyDeps): Route[] {
  const { challenges, settings } = deps
  return [
    route({
      name: 'login-passkey-options',
      action: 'passkey-options',
      method: 'POST',
      path: '/login/passkey/options/',
      operation: {
        id: 'logInWithPasskeyOptions',
        summary: 'Get the options for logging in with a passkey',
        asks: [],
        errors: ['ACCOUNTS_LOGIN_EXPIRED', 'ACCOUNTS_SECOND_FACTOR_REQUIRED'],
      },
      access: 'anyone',
      budget: 'passkeyOptions',
      schema: { body: loginOptionsBody, response: { 200: optionsReply } },
      async handle({ body: { use }, client }) {
        const { waiting, user, text } = await waitingLogin(deps, client)
        const isWaiting = waiting !== null && isOn(user)
        if (use === 'factor') {
          if (waiting === null) throw new AccountsError('ACCOUNTS_LOGIN_EXPIRED')
          // Starting again wouldn't help.
          if (!isOn(user)) throw new AccountsError('ACCOUNTS_SECOND_FACTOR_REQUIRED', completing(user))
        }
        const browser = markBrowser(deps, client)
        const isFactor = isWaiting && use !== 'login'
        const { challenge } = isFactor
          ? challenges.make('second-step', text, browser)
          : challenges.make('login', '', browser)
        const allowed = isFactor ? usablePasskeys(user) : []
        return { body: await requestOptions(settings, { challenge, allowed, isFactor }) }
      },
    }),
    route({
      name: 'login-passkey',
      action: 'login-passkey',
      method: 'POST',
      path: '/login/passkey/',
      operation: {
        id: 'logInWithPasskey',
        summary: 'Log in with a passkey',
        asks: ['logIn'],
        errors: [
          'ACCOUNTS_INVALID_CREDENTIALS',
          'ACCOUNTS_INVALID_OR_NOT_VERIFIED',
          'ACCOUNTS_NOT_VERIFIED',
          'ACCOUNTS_DISABLED',
        ],
        setsSession: true,
      },
      access: 'anyone',
      budget: 'loginPasskey',
      schema: { body: loginBody, response: { 200: ownUserReply(deps.options) } },
      async handle({ body: { response, remember }, client }, core) {
        // A passkey names no address, and one that is wrong no account either: any sign-up in this browser may be meant.
        const user = await withSignUpHint(client, core.signUp.isIn(client), async () => {
          const proof = await logInWithPasskey(deps, response, client)
          knownDevice(core, client, proof.user)
          return finishLogin(core, client, proof, isChecked(remember))
        })
        return { body: ownUser(user) }
      },
    }),
  ]
}
