import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AccountsError } from '../errors.js'
import { isPlainText } from '../validation.js'
import { type AuditTrail, tellOutcome } from './guard/audit.js'
import type { AnyReply, AnyRequest } from './input/any-request.js'
import { jsonCopier } from './input/body-parsers.js'
import { checkParts, serializerOf } from './input/validation.js'
import { asSent, refusalOf } from './output/error-responses.js'
import { jsonOf } from './output/respond.js'
import { checkFields, guardOf, lacksParam, mayHaveBody, type PipelineDeps, resultOf } from './pipeline.js'
import type { MountedRoute } from './route.js'

/** What an operation gets in a route of the app. */
export interface OperationInput {
  params?: Readonly<Record<string, unknown>>
  query?: unknown
  body?: unknown
}

/** Runs one operation in a route of the app. */
type Perform = (
  request: FastifyRequest,
  reply: FastifyReply,
  input: OperationInput,
) => Promise<{ status: number; body: unknown }>

/** The operations of a mount, by id: available once its routes are mounted. */
export type Operations = Map<string, Perform>

export interface PerformDeps extends PipelineDeps {
  audit: AuditTrail
}

const safeMethods = ['GET', 'HEAD', 'OPTIONS']

/** Makes a route's operation one that routes of the app can run: with the same checks before, and the same work after it. */
export function performer(scope: FastifyInstance, route: MountedRoute, deps: PerformDeps): Perform {
  const { operation, action, method, path } = route
  const { audit, clientOf } = deps
  const guard = guardOf(route, deps)
  const copyOf = jsonCopier(scope)
  const serialize = serializerOf(scope, route.schema)
  const names = Array.from(path.matchAll(/:(\w+)/g), ([, name = '']) => name)
  const { maxParamLength = 100 } = scope.initialConfig.routerOptions ?? scope.initialConfig

  /** As the router would have it, which takes only so much. */
  function paramsOf(params: OperationInput['params'] = {}): Record<string, string> {
    const isKept = (value: unknown): value is string =>
      typeof value === 'string' && value.length <= maxParamLength && isPlainText(value)
    return Object.fromEntries(names.map((name) => [name, isKept(params[name]) ? params[name] : '']))
  }

  return async (hostRequest, reply, { params, query = {}, body }) => {
    if (mayHaveBody(route) && safeMethods.includes(hostRequest.method))
      throw new Error(
        `fastify-accounts: perform can't run ${operation.id}, which is a ${method}, in a ${hostRequest.method} route: mail scanners follow links, and cookies travel with them`,
      )
    const request = asOurs(hostRequest, hostRequest.method === 'HEAD' ? 'HEAD' : method)
    const client = clientOf(request, reply)
    client.checkReach()
    // Of an operation before, which the app has gone on after.
    for (const name of ['retry-after', 'www-authenticate']) reply.removeHeader(name)
    try {
      request.params = paramsOf(params)
      if (lacksParam(route, request, path)) throw new AccountsError('ACCOUNTS_NOT_FOUND')
      await guard(request, reply)
      request.query = copyOf(query, request)
      if (mayHaveBody(route)) {
        request.body = copyOf(body, request)
        await checkFields(route, request, client)
      }
      checkParts(scope, route.schema, request)
      const outcome = jsonOf(await resultOf(route, request, client), client, reply, serialize)
      tellOutcome(audit, action, request, outcome.status)
      return outcome
    } catch (thrown) {
      const refusal = refusalOf(thrown, client.language, request, reply)
      tellOutcome(audit, action, request, refusal.status)
      throw asSent(refusal, client.language)
    }
  }
}

/** `app.accounts.perform`, without the types of operations. */
type PerformAny = (
  request: AnyRequest,
  reply: AnyReply,
  id: string,
  input?: OperationInput,
) => ReturnType<Perform>

/** Runs operations by their ids. */
export function performIn(operations: Operations): PerformAny {
  return async (request, reply, id, input = {}) => {
    const perform = operations.get(id)
    if (perform === undefined)
      throw new Error(`fastify-accounts: perform has no operation ${id} here, or its feature is off`)
    return perform(request, reply, input)
  }
}

/**
 * The app's request as if our route had got it, from a client that wants JSON. What the plugin keeps with it is its own, so
 * several operations of one request know nothing of each other.
 */
function asOurs(request: FastifyRequest, method: string): FastifyRequest {
  const { headers } = request
  const empty = { value: undefined, writable: true }
  return Object.create(request, {
    method: { value: method },
    headers: { value: { ...headers, accept: 'application/json' } },
    // Where the app keeps sessions, it is about the request itself.
    session: { get: () => request.session, set: (session) => Object.assign(request, { session }) },
    params: empty,
    query: empty,
    body: empty,
  })
}
