import { type FeatureCore, type Route, route } from 'fastify-accounts/features'
import { appReturnOf } from './app-return.js'
import type { Services } from './deps.js'
import type { Flow } from './flow.js'
import { appRouteNames, fromPage, goToProvider, issuerOf } from './go-to-provider.js'
import { checkNext } from './next.js'
import { appStartPage } from './pages.js'
import { startErrors } from './route-errors.js'
import { appLoginQuery, appLoginReply, locationReply, providerParams } from './schemas.js'

/** The routes that a flow of an app begins with, by what it is for: a page in the system browser, and its button. */
const starts = {
  'log-in': {
    action: 'login-with',
    path: '/login/with/:provider/app/',
    show: {
      id: 'showAppLogin',
      summary: 'In the system browser: ask whether to log in to an app with another provider',
    },
    start: { id: 'startAppLogin', summary: 'Go to the provider, and then back to the app' },
  },
  link: {
    action: 'link-identity',
    path: '/identities/:provider/app/',
    show: {
      id: 'showAppLink',
      summary: 'In the system browser: ask whether to link an identity with the account in an app',
    },
    start: {
      id: 'startAppLink',
      summary: 'Go to the provider to link an identity, and then back to the app',
    },
  },
  confirm: {
    action: 'confirm-with',
    path: '/confirm/with/:provider/app/',
    show: {
      id: 'showAppConfirmation',
      summary: 'In the system browser: ask whether to confirm a login in an app with another provider',
    },
    start: { id: 'startAppConfirmation', summary: 'Go to the provider to confirm, and then back to the app' },
  },
} as const satisfies Record<Flow['purpose'], object>

/**
 * For apps that open the system browser (RFC 8252): flows that end in the app, with a code. The browser needs no login, and
 * gets none: whose account it is about is said by the app, with the code.
 * @param uris where flows may end
 */
export function appStartRoutes(core: FeatureCore, services: Services, uris: readonly string[]): Route[] {
  return (['log-in', 'link', 'confirm'] as const).flatMap((purpose) =>
    startRoutes(core, services, uris, purpose),
  )
}

function startRoutes(
  { options }: FeatureCore,
  services: Services,
  uris: readonly string[],
  purpose: Flow['purpose'],
): Route[] {
  const { action, path, show, start } = starts[purpose]
  const both = { name: appRouteNames[purpose], action, path, access: 'anyone', linkPage: true } as const
  const schema = { params: providerParams, querystring: appLoginQuery }
  return [
    route({
      ...both,
      method: 'GET',
      operation: { ...show, errors: ['ACCOUNTS_NOT_FOUND'] },
      budget: 'loginWithCallback',
      schema: { ...schema, response: { 200: appLoginReply } },
      handle({ params: { provider }, query }) {
        const { label } = issuerOf(services, provider)
        appReturnOf(uris, query, options)
        return { body: { provider: label }, page: (theme) => appStartPage(theme, purpose, label) }
      },
    }),
    route({
      ...both,
      method: 'POST',
      operation: {
        ...start,
        errors: [...startErrors, ...(purpose === 'confirm' ? cannotConfirm : [])],
        redirects: true,
      },
      budget: 'loginWith',
      schema: { ...schema, response: { 200: locationReply } },
      async handle({ params: { provider }, query, client }, core) {
        const deps = { ...services, ...core }
        const app = appReturnOf(uris, query, options)
        const about = { next: checkNext(options, undefined), remember: false, login: null, app }
        const issuer = issuerOf(deps, provider)
        return fromPage(client, issuer, await goToProvider(deps, client, issuer, { ...about, purpose }))
      },
    }),
  ]
}

/** Known before the flow starts. */
const cannotConfirm = ['ACCOUNTS_PROVIDER_CANNOT_CONFIRM'] as const
