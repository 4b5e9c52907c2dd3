import { inRequestLanguage, loggedInUser, noReply, ownRecord, type Route } from 'fastify-accounts/features'
import type { ProviderDeps } from './deps.js'
import { loginOf } from './flow-login.js'
import { goToProvider, issuerOf } from './go-to-provider.js'
import { listedIdentities } from './identity.js'
import { removeIdentity } from './link-identity.js'
import { checkNext } from './next.js'
import { startErrors } from './route-errors.js'
import {
  type IdentityParams,
  identityListReply,
  identityParams,
  type LinkBody,
  linkBody,
  locationReply,
} from './schemas.js'

/** The logged-in user's identities. */
export function identityRoutes(deps: ProviderDeps): Route[] {
  const { options, throttle, issuers } = deps
  const mounted = [...issuers.values()].map(({ provider }) => provider)
  return [
    {
      name: 'identities',
      action: 'list-identities',
      method: 'GET',
      path: '/identities/',
      operation: {
        id: 'listIdentities',
        summary: "List the current user's identities at other providers",
        errors: [],
      },
      access: 'logged-in',
      budget: null,
      schema: { response: { 200: identityListReply } },
      async handler(request) {
        const user = await ownRecord(deps, loggedInUser(request))
        return { results: listedIdentities(mounted, user) }
      },
    },
    {
      name: 'identity',
      action: 'link-identity',
      method: 'POST',
      path: '/identities/:id',
      operation: {
        id: 'addIdentity',
        summary: 'Link an identity at another provider: returns where to send the browser',
        errors: startErrors,
        redirects: true,
      },
      access: 'owner',
      budget: 'loginWith',
      schema: { params: identityParams, body: linkBody, response: { 200: locationReply } },
      async handler(request, reply) {
        const { id } = request.params as IdentityParams
        const { next } = request.body as LinkBody
        const about = { next: checkNext(options, next), remember: false, login: loginOf(request) }
        return goToProvider(deps, issuerOf(deps, id), request, reply, { ...about, purpose: 'link' })
      },
    },
    {
      name: 'identity',
      action: 'remove-identity',
      method: 'DELETE',
      path: '/identities/:id',
      operation: {
        id: 'removeIdentity',
        summary: 'Remove an identity, unless it is the last way to log in',
        errors: ['ACCOUNTS_NOT_FOUND', 'ACCOUNTS_CONFLICT', 'ACCOUNTS_THROTTLED'],
      },
      access: 'owner',
      budget: null,
      schema: { params: identityParams, response: { 204: noReply } },
      async handler(request, reply) {
        const { id } = request.params as IdentityParams
        const user = await ownRecord(deps, loggedInUser(request))
        await throttle.spend('changeIdentities', user.id)
        await removeIdentity(inRequestLanguage(deps, request), user, id)
        return reply.code(204).send()
      },
    },
  ]
}
