import { isChecked } from '../../http/input/checkbox.js'
import { ownUserReply } from '../../http/output/reply-schemas.js'
import { noReply } from '../../http/output/schemas.js'
import { type Route, route } from '../../http/route.js'
import { typedAddress } from '../../identifiers/address-name.js'
import { finishLogin } from '../../logins/finish-login.js'
import { withSignUpHint } from '../../logins/sign-up-hint.js'
import { ownUser } from '../../user.js'
import type { Feature, FeatureCore } from '../feature.js'
import { logIn } from './log-in.js'
import * as bodies from './schemas.js'

declare module '../../feature-names.js' {
  interface FeatureActions {
    login: 'login' | 'login-second-factor'
    logout: 'logout'
  }
}

/** Logging in with a password, and out. */
export const login: Feature = {
  name: 'login',
  routes: (core) => ({ auth: loginRoutes(core) }),
}

function loginRoutes({ device, options, passwords }: FeatureCore): Route[] {
  return [
    route({
      name: 'login',
      action: 'login',
      method: 'POST',
      path: '/login/',
      operation: {
        id: 'logIn',
        summary: 'Log in',
        asks: ['logIn'],
        errors: [
          'ACCOUNTS_INVALID_CREDENTIALS',
          'ACCOUNTS_INVALID_OR_NOT_VERIFIED',
          'ACCOUNTS_SECOND_FACTOR_REQUIRED',
          'ACCOUNTS_NOT_VERIFIED',
          'ACCOUNTS_DISABLED',
        ],
        setsSession: true,
      },
      access: 'anyone',
      budget: 'login',
      // The handler finds out whether the device is known.
      precheck: (client) => device.isIn(client) || passwords.admitStranger(),
      schema: {
        body: loginBody(options.login),
        response: { 200: ownUserReply(options) },
      },
      async handle({ body: { remember, ...credentials }, client }, deps) {
        const address = typedAddress(credentials.username)
        const isHinted = address !== null && deps.signUp.isForAddress(client, address)
        const user = await withSignUpHint(client, isHinted, async () => {
          const proof = await logIn(deps, client, credentials)
          return finishLogin(deps, client, proof, isChecked(remember))
        })
        return { body: ownUser(user) }
      },
    }),
    route({
      name: 'logout',
      action: 'logout',
      method: 'POST',
      path: '/logout/',
      operation: { id: 'logOut', host: 'session', summary: 'Log out', errors: ['ACCOUNTS_UNAVAILABLE'] },
      access: 'anyone',
      isOpenToEnroll: true,
      budget: null,
      schema: { response: { 204: noReply } },
      async handle({ client }, { keeper, events }) {
        if (options.session.clearSiteData) client.clearSiteData()
        const user = await keeper.end(client)
        client.note({ user })
        if (user !== null) events.tell('session.ended', user, {})
        return {}
      },
    }),
  ]
}

/** By what users log in. */
function loginBody({ byUsername, byEmail }: FeatureCore['options']['login']): typeof bodies.byEither {
  if (!byEmail) return bodies.byUsername
  return byUsername ? bodies.byEither : bodies.byEmail
}
