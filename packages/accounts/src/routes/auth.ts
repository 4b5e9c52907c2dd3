import type { Factor } from '../logins/factor.js'
import type { ResolvedOptions } from '../options/resolve.js'
import { logIn } from '../services/log-in.js'
import type { SignUpCookie } from '../sessions/sign-up-cookie.js'
import { ownUser } from '../user.js'
import { loggedInUser } from './access.js'
import { noteUser } from './audit.js'
import { confirmRoutes } from './confirm.js'
import type { Confirmation } from './confirmation.js'
import { ownAccountRoutes } from './own-account.js'
import { type PasswordDeps, passwordRoutes } from './password.js'
import { ownUserReply } from './reply-schemas.js'
import { inRequestLanguage } from './request-language.js'
import { isChecked, loginBody } from './request-schemas.js'
import type { Route } from './route.js'
import { noReply } from './schemas/replies.js'
import type { LoginBody } from './schemas/requests.js'
import { type Pending, startSession } from './start-session.js'
import { whileThere } from './while-there.js'

declare module '../feature-names.js' {
  interface FeatureActions {
    login: true
    logout: true
    me: true
  }
}

type AuthDeps = PasswordDeps & {
  pending: Pending
  signUp: SignUpCookie
  factors: readonly Factor[]
  confirmations: readonly Confirmation[]
  fields: ResolvedOptions['fields']
}

/** The routes for logging in and out, and for users' own accounts. */
export function authRoutes(deps: AuthDeps): Route[] {
  const { keeper, device, fields } = deps

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
      precheck: (request) => device.isIn(request) || deps.passwords.admitStranger(),
      schema: { body: loginBody(deps.options), response: { 200: ownUserReply(fields, deps.options.names) } },
      async handler(request, reply) {
        const { remember, ...credentials } = request.body as LoginBody
        const hashing = whileThere(deps, reply)
        const proof = await logIn(hashing, credentials, (user) => device.read(request, user, 'password'))
        const localized = inRequestLanguage(deps, request)
        const user = await startSession(localized, request, reply, proof, isChecked(remember))
        return ownUser(user)
      },
    },
    ...passwordRoutes(deps),
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
        if (deps.options.session.clearSiteData) reply.header('clear-site-data', '"cookies"')
        noteUser(request, await keeper.end(request, reply))
        return reply.code(204).send()
      },
    },
    {
      name: 'me',
      action: 'me',
      method: 'GET',
      path: '/me/',
      operation: { id: 'showMe', summary: 'Show the current user', errors: [] },
      access: 'logged-in',
      isOpenToEnroll: true,
      budget: null,
      schema: { response: { 200: ownUserReply(fields, deps.options.names) } },
      handler: async (request) => ownUser(loggedInUser(request)),
    },
    ...ownAccountRoutes(deps),
    ...confirmRoutes(deps),
  ]
}
