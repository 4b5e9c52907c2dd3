import { AccountsError } from 'fastify-accounts'
import {
  detailReply,
  type FeatureCore,
  finishLogin,
  isMakersBrowser,
  linkRoutes,
  ownUser,
  ownUserReply,
  type Route,
} from 'fastify-accounts/features'
import { askWhose } from './ask-whose.js'
import { confirmIdentity } from './confirm-identity.js'
import type { Services } from './deps.js'
import { showReady } from './end-app-flow.js'
import { confirmIdentityPage } from './pages.js'
import { loginErrors } from './route-errors.js'

/** The emailed link for users whose provider does not vouch for their address. */
export function mailedRoutes({ options }: FeatureCore, services: Services): Route[] {
  return linkRoutes({
    name: 'confirm-identity',
    action: 'confirm-identity',
    path: '/login/with/confirm/',
    purpose: 'confirm-identity',
    show: {
      operation: {
        id: 'checkIdentity',
        summary: 'Show the page that finishes signing up with another provider',
        errors: ['ACCOUNTS_OTHER_BROWSER'],
      },
      handle({ user, client }) {
        const pending = services.pendingIdentities.read(client, user.emailKey)
        if (client.prefersPage && pending === null) throw new AccountsError('ACCOUNTS_OTHER_BROWSER')
        return { page: (theme) => confirmIdentityPage(theme, pending?.app !== undefined) }
      },
    },
    use: {
      operation: {
        id: 'confirmIdentity',
        summary: 'Finish signing up with another provider, in the browser where it began',
        asks: ['signUp', 'logIn'],
        errors: ['ACCOUNTS_OTHER_BROWSER', 'ACCOUNTS_IDENTITY_TAKEN', ...loginErrors],
        redirects: true,
        setsSession: true,
      },
      access: 'anyone-known',
      schema: { response: { 200: ownUserReply(options), 202: detailReply } },
      async handle({ params, who, client }, core) {
        const deps = { ...services, ...core }
        const isMaker = isMakersBrowser(core, client, who)
        const { taken, owner, pending } = await confirmIdentity(deps, client, isMaker, params)
        if (taken === 'used')
          return askWhose(deps, client, { claim: deps.claims.seal(client, pending), owner })
        deps.pendingIdentities.drop(client)
        const { methods, remember, next, app, identity } = pending
        if (app !== undefined) return showReady(deps, client, taken, identity)
        const user = await finishLogin(deps, client, { user: taken, methods }, remember)
        return { body: ownUser(user), redirect: next }
      },
    },
  })
}
