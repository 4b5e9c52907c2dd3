import type { FastifyReply, FastifyRequest } from 'fastify'
import { AccountsError, BusyError, fieldError, invalidInput } from '../errors.js'
import type { ResolvedOptions } from '../options/resolve.js'
import type { Client } from '../sessions/client.js'
import { refuse } from '../sessions/session-parts.js'
import type { TokenLimits } from '../sessions/session-tokens.js'
import { actingStores } from '../users/acting-stores.js'
import { type AccessRule, type AdmitDeps, admit, whoOf } from './guard/access.js'
import { refuseCrossSite } from './guard/cross-site.js'
import { refuseSeveralHosts } from './guard/one-host.js'
import { setCommonHeaders } from './guard/security-headers.js'
import type { ThrottleByIp } from './guard/throttle-by-ip.js'
import { changesIn } from './input/changes-in.js'
import { checkDelivery } from './input/delivery-header.js'
import { argumentsOf, type Result } from './operation.js'
import type { ClientOf } from './output/client.js'
import type { MountedRoute, Route } from './route.js'

/** What a request to an operation depends on, at its own route and at one of the app. */
export interface PipelineDeps extends AdmitDeps {
  options: Pick<ResolvedOptions, 'origin' | 'trustedOrigins' | 'session'>
  clientOf: ClientOf
  /** Absent if sessions are only delivered as cookies. */
  tokens: Pick<TokenLimits, 'refreshes'> | undefined
  throttleByIp: ThrottleByIp
  /** Whether `app.close()` has begun: requests that still arrive are for another process. */
  isClosing(): boolean
}

export const mayHaveBody = ({ method }: Pick<Route, 'method'>): boolean => method !== 'GET'

/**
 * Whether the path has one part less than its route: the router takes `/reset/code/` for `/reset/:uid64/:token` with an
 * empty token, although this mount may have no such route. `/reset/MQ//` has an empty part, and so a token that is invalid.
 * @param url the route's path, as it is spelled where the request was routed
 */
export function lacksParam(route: Route, { params }: FastifyRequest, url: string | undefined): boolean {
  return mayHaveBody(route) && !url?.endsWith('/') && Object.values(params as object).includes('')
}

const appCloses = new BusyError('the app is closing')

/** The checks of a request before its body is looked at. */
export function guardOf(
  route: AccessRule & Pick<Route, 'isOpenToOtherSites' | 'budget' | 'precheck'>,
  deps: PipelineDeps,
): (request: FastifyRequest, reply: FastifyReply) => Promise<void> {
  const { access, isOpenToOtherSites = false, budget, precheck } = route
  const { options, throttleByIp, isClosing, clientOf, tokens } = deps
  return async (request, reply) => {
    setCommonHeaders(reply)
    refuseSeveralHosts(request)
    // Another process, or the next one, will serve it.
    if (isClosing() && (access !== 'anyone' || budget !== null))
      throw new AccountsError('ACCOUNTS_UNAVAILABLE', { cause: appCloses, retryAfter: 5 })
    if (tokens) checkDelivery(request)
    const client = clientOf(request, reply)
    if (!isOpenToOtherSites && client.bearer === null) refuseCrossSite(request, options)
    // Neither a refresh token, which is for one route's body, nor a program's key logs anybody in.
    if (client.bearer !== null && client.bearer.kind !== 'access') refuse(client)
    if (budget !== null) await throttleByIp.spend(budget, request, reply)
    precheck?.(client)
    if (access !== 'anyone') await admit(route, request, client, deps)
  }
}

/**
 * A request without a body has no fields, so each required one is reported by name. A route without fields rejects each one.
 * A PATCH keeps those that change something.
 * @throws AccountsError ACCOUNTS_INVALID_INPUT
 */
export async function checkFields(
  { core, schema, resource }: MountedRoute,
  request: FastifyRequest,
  client: Client,
): Promise<void> {
  const { body } = request
  if (schema.body !== undefined) {
    request.body ??= {}
    if (resource === undefined) return
    request.body = await changesIn(schema.body, resource, ...argumentsOf(request, client, core))
  } else if (body !== undefined && body !== null) {
    if (typeof body !== 'object') throw invalidInput(fieldError('', 'invalid'))
    const names = Object.keys(body)
    if (names.length > 0) throw invalidInput(...names.map((name) => fieldError(name, 'unknown')))
  }
}

/** Runs the operation of a request that has passed all checks. */
export async function resultOf(
  { core, access, method, handle }: MountedRoute,
  request: FastifyRequest,
  client: Client,
): Promise<Result> {
  const who = whoOf(request)
  const writes = access === 'anyone-known' ? 'create' : 'all'
  const [input, deps] = argumentsOf(request, client, core)
  const acting =
    method === 'GET' || who === null ? deps : { ...deps, ...actingStores(deps, who.user, writes) }
  return handle(input, acting)
}
