import {
  type FeatureCore,
  finishLogin,
  ownUser,
  ownUserReply,
  type Route,
  route,
} from 'fastify-accounts/features'
import { appReturnOf } from './app-return.js'
import type { Services } from './deps.js'
import { fromPage, goToProvider, issuerOf } from './go-to-provider.js'
import { checkNext } from './next.js'
import { appLoginPage } from './pages.js'
import { loginErrors, startErrors } from './route-errors.js'
import { appLoginQuery, appLoginReply, codeBody, locationReply, providerParams } from './schemas.js'

/**
 * For apps that open the system browser (RFC 8252): a flow that ends in the app, with a code that it exchanges for its
 * session.
 * @param uris where flows may end
 */
export function appRoutes({ options }: FeatureCore, services: Services, uris: readonly string[]): Route[] {
  const start = {
    name: 'login-with-app',
    action: 'login-with',
    path: '/login/with/:provider/app/',
    access: 'anyone',
    linkPage: true,
  } as const
  const shared = { params: providerParams, querystring: appLoginQuery }
  return [
    route({
      ...start,
      method: 'GET',
      operation: {
        id: 'showAppLogin',
        summary: 'In the system browser: ask whether to log in to an app with another provider',
        errors: ['ACCOUNTS_NOT_FOUND'],
      },
      budget: 'loginWithCallback',
      schema: { ...shared, response: { 200: appLoginReply } },
      handle({ params: { provider }, query }) {
        const { label } = issuerOf(services, provider)
        appReturnOf(uris, query, options)
        return { body: { provider: label }, page: (theme) => appLoginPage(theme, label) }
      },
    }),
    route({
      ...start,
      method: 'POST',
      operation: {
        id: 'startAppLogin',
        summary: 'Go to the provider, and then back to the app',
        errors: startErrors,
        redirects: true,
      },
      budget: 'loginWith',
      schema: { ...shared, response: { 200: locationReply } },
      async handle({ params: { provider }, query, client }, core) {
        const deps = { ...services, ...core }
        const app = appReturnOf(uris, query, options)
        const about = { next: checkNext(options, undefined), remember: false, login: null, app }
        const issuer = issuerOf(deps, provider)
        const begun = await goToProvider(deps, client, issuer, { ...about, purpose: 'log-in' })
        return fromPage(client, issuer, begun)
      },
    }),
    route({
      name: 'app-login',
      action: 'login-with',
      method: 'POST',
      path: '/tokens/',
      operation: {
        id: 'logInWithAppCode',
        summary: 'Log in with the code that the system browser brought back to the app',
        asks: ['logIn'],
        errors: ['ACCOUNTS_LOGIN_EXPIRED', ...loginErrors],
        setsSession: true,
      },
      access: 'anyone',
      budget: 'loginWithCallback',
      schema: { body: codeBody, response: { 200: ownUserReply(options) } },
      async handle({ body: { code, code_verifier: verifier }, client }, core) {
        const deps = { ...services, ...core }
        const proof = await deps.appCodes.redeem(code, verifier)
        return { body: ownUser(await finishLogin(deps, client, proof, false)) }
      },
    }),
  ]
}
