import { fieldError, invalidInput, isChecked, type Route } from 'fastify-accounts/features'
import { callback, callbackRoute } from './callback-route.js'
import type { ProviderDeps } from './deps.js'
import { goToProvider, issuerOf } from './go-to-provider.js'
import { checkNext } from './next.js'
import { startErrors } from './route-errors.js'
import {
  type FormPostBody,
  formPostBody,
  type LoginWithBody,
  locationReply,
  loginWithBody,
  type ProviderParams,
  providerParams,
} from './schemas.js'

/** Characters of a query in `Location`: proxies refuse a long response head, and drop a process that sends one. */
const longestQuery = 2200

/** Routes to the provider and back. */
export function loginRoutes(deps: ProviderDeps): Route[] {
  return [startRoute(deps), callbackRoute(deps), formPostRoute(deps)]
}

function startRoute(deps: ProviderDeps): Route {
  return {
    name: 'login-with',
    action: 'login-with',
    method: 'POST',
    path: '/login/with/:provider/',
    operation: {
      id: 'logInWith',
      summary: 'Log in or sign up with another provider: returns where to send the browser',
      errors: startErrors,
      redirects: true,
    },
    access: 'anyone',
    budget: 'loginWith',
    linkPage: true,
    schema: { params: providerParams, body: loginWithBody, response: { 200: locationReply } },
    async handler(request, reply) {
      const { provider } = request.params as ProviderParams
      const { next, remember } = request.body as LoginWithBody
      const about = { next: checkNext(deps.options, next), remember: isChecked(remember), login: null }
      return goToProvider(deps, issuerOf(deps, provider), request, reply, { ...about, purpose: 'log-in' })
    },
  }
}

function formPostRoute(deps: ProviderDeps): Route {
  return {
    ...callback,
    method: 'POST',
    operation: {
      id: 'logInWithFormPost',
      summary: 'The same for providers that answer with a form: redirects to the GET',
      errors: ['ACCOUNTS_NOT_FOUND', 'ACCOUNTS_INVALID_INPUT'],
      redirects: true,
    },
    access: 'anyone',
    // A form from another site doesn't send this site's cookies, and none is read.
    isOpenToOtherSites: true,
    budget: 'loginWithCallback',
    schema: { params: providerParams, body: formPostBody },
    async handler(request, reply) {
      const { provider } = request.params as ProviderParams
      issuerOf(deps, provider)
      const { code, state, iss, error, error_description, user } = request.body as FormPostBody
      const parameters = Object.entries({ code, state, iss, error, error_description, user })
      const given = parameters.filter((each): each is [string, string] => each[1] !== undefined)
      const query = String(new URLSearchParams(given))
      if (query.length > longestQuery) throw invalidInput(fieldError('', 'too_long'))
      return reply.redirect(`${deps.where.path('login-with-callback', { provider })}?${query}`, 303)
    },
  }
}
