import { noteUser } from '../../http/audit.js'
import { ownUserReply } from '../../http/reply-schemas.js'
import { inRequestLanguage } from '../../http/request-language.js'
import { isChecked, loginBody } from '../../http/request-schemas.js'
import type { Route } from '../../http/route.js'
import { noReply } from '../../http/schemas/replies.js'
import type { LoginBody } from '../../http/schemas/requests.js'
import { startSession } from '../../http/start-session.js'
import { whileThere } from '../../http/while-there.js'
import { ownUser } from '../../user.js'
import type { FeatureCore } from '../feature.js'
import { logIn } from './log-in.js'

declare module '../../feature-names.js' {
  interface FeatureActions {
    login: true
    logout: true
  }
}

/** Logging in with a password, and out. */
export function loginRoutes(core: FeatureCore): Route[] {
  const { keeper, device, options } = core

  return [
    {
      name: 'login',
      action: 'login',
      method: 'POST',
      path: '/login/',
      operation: {
        id: 'logIn',
        summary: 'Log in',
        errors: [
          'ACCOUNTS_INVALID_CREDENTIALS',
          'ACCOUNTS_SECOND_FACTOR_REQUIRED',
          'ACCOUNTS_NOT_VERIFIED',
          'ACCOUNTS_DISABLED',
          'ACCOUNTS_CONFLICT',
          'ACCOUNTS_THROTTLED',
        ],
        setsSession: true,
      },
      access: 'anyone',
      budget: 'login',
      // The handler finds out whether the device is known.
      precheck: (request) => device.isIn(request) || core.passwords.admitStranger(),
      schema: { body: loginBody(options), response: { 200: ownUserReply(options.fields, options.names) } },
      async handler(request, reply) {
        const { remember, ...credentials } = request.body as LoginBody
        const hashing = whileThere(core, reply)
        const proof = await logIn(hashing, credentials, (user) => device.read(request, user, 'password'))
        const localized = inRequestLanguage(core, request)
        const user = await startSession(localized, request, reply, proof, isChecked(remember))
        return ownUser(user)
      },
    },
    {
      name: 'logout',
      action: 'logout',
      method: 'POST',
      path: '/logout/',
      operation: { id: 'logOut', summary: 'Log out', errors: ['ACCOUNTS_UNAVAILABLE'] },
      access: 'anyone',
      isOpenToEnroll: true,
      budget: null,
      schema: { response: { 204: noReply } },
      async handler(request, reply) {
        if (options.session.clearSiteData) reply.header('clear-site-data', '"cookies"')
        noteUser(request, await keeper.end(request, reply))
        return reply.code(204).send()
      },
    },
  ]
}
