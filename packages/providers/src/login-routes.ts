import {
  type FeatureCore,
  fieldError,
  invalidInput,
  isChecked,
  type Route,
  route,
} from 'fastify-accounts/features'
import { callback, callbackRoute } from './callback-route.js'
import type { Services } from './deps.js'
import { fromPage, goToProvider, issuerOf } from './go-to-provider.js'
import { checkNext } from './next.js'
import { startErrors } from './route-errors.js'
import { formPostBody, locationReply, loginWithBody, providerParams } from './schemas.js'
import { checkFlowSize, signUpFieldsIn, withSignUpFields } from './sign-up-fields.js'

/** Characters of a query in `Location`: proxies refuse a long response head, and drop a process that sends one. */
const longestQuery = 2200

/** Routes to the provider and back. */
export function loginRoutes(core: FeatureCore, services: Services): Route[] {
  return [startRoute(core, services), callbackRoute(services), formPostRoute(services)]
}

function startRoute({ options }: FeatureCore, services: Services): Route {
  return route({
    name: 'login-with',
    action: 'login-with',
    method: 'POST',
    path: '/login/with/:provider/',
    operation: {
      id: 'logInWith',
      summary: 'Log in or sign up with another provider: returns where to send the browser',
      asks: [],
      errors: startErrors,
      redirects: true,
    },
    access: 'anyone',
    budget: 'loginWith',
    linkPage: true,
    schema: {
      params: providerParams,
      body: withSignUpFields(options, loginWithBody),
      response: { 200: locationReply },
    },
    async handle({ params: { provider }, body: { next, remember, from_page, ...others }, client }, core) {
      const transient = signUpFieldsIn(options, others)
      checkFlowSize(transient)
      const about = { next: checkNext(options, next), remember: isChecked(remember), login: null, transient }
      const deps = { ...services, ...core }
      const issuer = issuerOf(deps, provider)
      const begun = await goToProvider(deps, client, issuer, { ...about, purpose: 'log-in' })
      return isChecked(from_page) ? fromPage(client, issuer, begun) : begun
    },
  })
}

function formPostRoute(services: Services): Route {
  return route({
    ...callback,
    method: 'POST',
    operation: {
      id: 'logInWithFormPost',
      summary: 'The same for providers that respond with a form: redirects to the GET',
      asks: [],
      errors: ['ACCOUNTS_NOT_FOUND'],
      redirects: true,
    },
    access: 'anyone',
    // A form from another site doesn't send this site's cookies, and none is read.
    isOpenToOtherSites: true,
    budget: 'loginWithCallback',
    schema: { params: providerParams, body: formPostBody, response: {} },
    handle({ params: { provider }, body }, { where }) {
      issuerOf(services, provider)
      const { code, state, iss, error, error_description, user } = body
      const parameters = Object.entries({ code, state, iss, error, error_description, user })
      const entries = parameters.filter((each): each is [string, string] => each[1] !== undefined)
      const query = String(new URLSearchParams(entries))
      if (query.length > longestQuery) throw invalidInput(fieldError('', 'too_long'))
      return { status: 303, location: `${where.path('login-with-callback', { provider })}?${query}` }
    },
  })
}
