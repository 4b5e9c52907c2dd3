import { noReply } from '../../http/output/schemas.js'
import { type Route, route } from '../../http/route.js'
import { factorMissing } from '../../logins/enrollment.js'
import type { ApiKeyRules } from '../../tokens/api-key.js'
import { ownRecord } from '../../users/own-record.js'
import { createApiKey } from './create-api-key.js'
import { inputOf, keyList, shownOnce } from './keys/key-json.js'
import { removeApiKey } from './remove-api-key.js'
import { keyListReply, keyParams, newKeyBody, newKeyReply } from './schemas.js'

/** The logged-in user's own keys. */
export function ownKeyRoutes(rules: ApiKeyRules): Route[] {
  return [listRoute(rules), createRoute(rules), removeRoute]
}

function listRoute(rules: ApiKeyRules): Route {
  return route({
    name: 'api-keys',
    action: 'list-api-keys',
    method: 'GET',
    path: '/api-keys/',
    operation: { id: 'listApiKeys', summary: "List the current user's API keys" },
    access: 'logged-in',
    budget: null,
    schema: { response: { 200: keyListReply } },
    async handle({ who }, deps) {
      return { body: keyList(rules, await ownRecord(deps, who.user)) }
    },
  })
}

function createRoute(rules: ApiKeyRules): Route {
  return route({
    name: 'api-keys',
    action: 'create-api-key',
    method: 'POST',
    path: '/api-keys/',
    operation: {
      id: 'createApiKey',
      summary: 'Create an API key',
      asks: [],
      errors: ['ACCOUNTS_CONFLICT', 'ACCOUNTS_THROTTLED'],
    },
    access: 'owner',
    budget: null,
    schema: { body: newKeyBody, response: { 201: newKeyReply } },
    async handle({ body, who }, deps) {
      const user = await ownRecord(deps, who.user)
      // A login by passkey gets here without a factor; the key wouldn't work.
      const missing = await factorMissing(user, deps)
      if (missing !== null) throw missing
      await deps.throttle.spend('changeApiKeys', user.id)
      const newKey = await createApiKey(deps, rules, user, inputOf(body))
      return { status: 201, body: shownOnce(newKey) }
    },
  })
}

/** Without a confirmation or a limit: it protects, and a leaked key has to go quickly. */
const removeRoute = route({
  name: 'api-key',
  action: 'remove-api-key',
  method: 'DELETE',
  path: '/api-keys/:id',
  operation: {
    id: 'removeApiKey',
    summary: 'Remove an API key, which stops working at once',
    errors: ['ACCOUNTS_NOT_FOUND'],
  },
  access: 'logged-in',
  budget: null,
  schema: { params: keyParams, response: { 204: noReply } },
  async handle({ params: { id }, who }, deps) {
    await removeApiKey(deps, await ownRecord(deps, who.user), id)
    return {}
  },
})
