import { AccountsError } from '../../errors.js'
import { cursorQuery } from '../../http/input/schemas.js'
import { noReply } from '../../http/output/schemas.js'
import { type Route, route } from '../../http/route.js'
import type { ApiKeyRules } from '../../tokens/api-key.js'
import { createListCursor, readPage } from '../../tokens/list-cursor.js'
import type { User } from '../../user.js'
import { deleteAccount } from '../../users/delete-account.js'
import type { FeatureCore } from '../feature.js'
import { createApiKey } from './create-api-key.js'
import { createService } from './create-service.js'
import { inputOf, keyList, shownOnce } from './keys/key-json.js'
import { withService } from './keys/with-service.js'
import { listServices } from './list-services.js'
import { removeApiKey } from './remove-api-key.js'
import {
  keyListReply,
  newKeyBody,
  newKeyReply,
  newServiceBody,
  serviceKeyParams,
  serviceListReply,
  serviceParams,
  serviceReply,
} from './schemas.js'

/** Service accounts, for those who manage them, where staff have routes for users. */
export function serviceRoutes(core: FeatureCore, rules: ApiKeyRules): Route[] {
  const { users } = core.options
  if (users === false || users.variant === 'signup') return []
  return [...listRoutes(core), createRoute, deleteRoute, ...keyRoutes(rules)]
}

/** The list, if the user store can list. */
function listRoutes({ users: { list }, options }: FeatureCore): Route[] {
  if (list === undefined) return []
  const positions = createListCursor(options.secret)
  return [
    route({
      name: 'service-list',
      action: 'list-services',
      method: 'GET',
      path: '/service/',
      operation: {
        id: 'listServices',
        summary: 'List service accounts, a hundred a page',
        authorize: ['manageServices'],
        errors: ['ACCOUNTS_THROTTLED'],
      },
      access: 'logged-in',
      budget: null,
      schema: { querystring: cursorQuery, response: { 200: serviceListReply } },
      async handle({ query, who: { user: actor } }, deps) {
        const { services, next } = await readPage(positions, 'services', query.cursor, (after) =>
          listServices({ ...deps, list }, actor, after),
        )
        const nextUrl = next && `${deps.where.url('service-list')}?cursor=${next}`
        return { body: { results: services.map(shown), next: nextUrl } }
      },
    }),
  ]
}

const createRoute = route({
  name: 'service-list',
  action: 'create-service',
  method: 'POST',
  path: '/service/',
  operation: {
    id: 'createService',
    summary: 'Create a service account, which only API keys can use',
    authorize: ['manageServices'],
    asks: [],
    errors: ['ACCOUNTS_USERNAME_TAKEN'],
  },
  access: 'confirmed',
  budget: 'create',
  schema: { body: newServiceBody, response: { 201: serviceReply } },
  async handle({ body, who, client }, deps) {
    const service = await createService(deps, who.user, body.username)
    client.note({ user: service })
    return { status: 201, body: shown(service) }
  },
})

const deleteRoute = route({
  name: 'service-detail',
  action: 'delete-service',
  method: 'DELETE',
  path: '/service/:pk',
  operation: {
    id: 'deleteService',
    host: 'deleteUser()',
    summary: 'Delete a service account with its API keys',
    authorize: ['manageServices'],
    errors: ['ACCOUNTS_NOT_FOUND'],
  },
  access: 'confirmed',
  budget: null,
  schema: { params: serviceParams, response: { 204: noReply } },
  async handle({ params: { pk }, who, client }, deps) {
    await withService(deps, who.user, pk, async (service) => {
      if (!(await deleteAccount(deps, service))) throw new AccountsError('ACCOUNTS_NOT_FOUND')
    })
    client.note({ user: { id: pk } })
    return {}
  },
})

/** The keys of one service account. */
function keyRoutes(rules: ApiKeyRules): Route[] {
  return [
    route({
      name: 'service-api-keys',
      action: 'list-service-api-keys',
      method: 'GET',
      path: '/service/:pk/api-keys/',
      operation: {
        id: 'listServiceApiKeys',
        host: 'listApiKeys()',
        summary: 'List the API keys of a service account',
        authorize: ['manageServices'],
        errors: ['ACCOUNTS_NOT_FOUND'],
      },
      access: 'logged-in',
      budget: null,
      schema: { params: serviceParams, response: { 200: keyListReply } },
      async handle({ params: { pk }, who, client }, deps) {
        const body = await withService(deps, who.user, pk, (service) => keyList(rules, service))
        client.note({ user: { id: pk } })
        return { body }
      },
    }),
    route({
      name: 'service-api-keys',
      action: 'create-service-api-key',
      method: 'POST',
      path: '/service/:pk/api-keys/',
      operation: {
        id: 'createServiceApiKey',
        host: 'createApiKey()',
        summary: 'Create an API key for a service account',
        authorize: ['manageServices'],
        asks: [],
        errors: ['ACCOUNTS_NOT_FOUND', 'ACCOUNTS_CONFLICT'],
      },
      access: 'confirmed',
      budget: null,
      schema: { params: serviceParams, body: newKeyBody, response: { 201: newKeyReply } },
      async handle({ params: { pk }, body, who, client }, deps) {
        const newKey = await withService(deps, who.user, pk, (service) =>
          createApiKey(deps, rules, service, inputOf(body)),
        )
        client.note({ user: { id: pk } })
        return { status: 201, body: shownOnce(newKey) }
      },
    }),
    route({
      name: 'service-api-key',
      action: 'remove-service-api-key',
      method: 'DELETE',
      path: '/service/:pk/api-keys/:id',
      operation: {
        id: 'removeServiceApiKey',
        host: 'removeApiKey()',
        summary: 'Remove an API key of a service account, which stops working at once',
        authorize: ['manageServices'],
        errors: ['ACCOUNTS_NOT_FOUND'],
      },
      access: 'confirmed',
      budget: null,
      schema: { params: serviceKeyParams, response: { 204: noReply } },
      async handle({ params: { pk, id }, who, client }, deps) {
        await withService(deps, who.user, pk, (service) => removeApiKey(deps, service, id))
        client.note({ user: { id: pk } })
        return {}
      },
    }),
  ]
}

function shown({ id, username, createdAt }: User): object {
  return { id, username, created_at: createdAt.toISOString() }
}
