import { type FeatureCore, noReply, ownRecord, type Route, route } from 'fastify-accounts/features'
import type { Services } from './deps.js'
import { loginOf } from './flow-owner.js'
import { goToProvider, issuerOf } from './go-to-provider.js'
import { listedIdentities } from './identity.js'
import { removeIdentity } from './link-identity.js'
import { checkNext } from './next.js'
import { startErrors } from './route-errors.js'
import { identityListReply, identityParams, linkBody, locationReply } from './schemas.js'

/** The logged-in user's identities. */
export function identityRoutes({ options }: FeatureCore, services: Services): Route[] {
  const { issuers } = services
  const mounted = [...issuers.values()].map(({ provider }) => provider)
  return [
    route({
      name: 'identities',
      action: 'list-identities',
      method: 'GET',
      path: '/identities/',
      operation: { id: 'listIdentities', summary: "List the current user's identities at other providers" },
      access: 'logged-in',
      budget: null,
      schema: { response: { 200: identityListReply } },
      async handle({ who }, deps) {
        return { body: { results: listedIdentities(mounted, await ownRecord(deps, who.user)) } }
      },
    }),
    route({
      name: 'identity',
      action: 'link-identity',
      method: 'POST',
      path: '/identities/:id',
      operation: {
        id: 'addIdentity',
        summary: 'Link an identity at another provider: returns where to send the browser',
        asks: [],
        errors: startErrors,
        redirects: true,
      },
      access: 'owner',
      budget: 'loginWith',
      schema: { params: identityParams, body: linkBody, response: { 200: locationReply } },
      async handle({ params: { id }, body, who, client }, core) {
        const about = { next: checkNext(options, body.next), remember: false, login: loginOf(who) }
        const deps = { ...services, ...core }
        return goToProvider(deps, client, issuerOf(deps, id), { ...about, purpose: 'link' })
      },
    }),
    route({
      name: 'identity',
      action: 'remove-identity',
      method: 'DELETE',
      path: '/identities/:id',
      operation: {
        id: 'removeIdentity',
        summary: 'Remove an identity, unless it is the last way to log in',
        errors: ['ACCOUNTS_NOT_FOUND'],
      },
      access: 'owner',
      budget: null,
      schema: { params: identityParams, response: { 204: noReply } },
      async handle({ params: { id }, who }, core) {
        await removeIdentity({ ...services, ...core }, await ownRecord(core, who.user), id)
        return {}
      },
    }),
  ]
}
