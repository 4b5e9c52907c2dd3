import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchema, RouteOptions } from 'fastify'
import type { PostOffice } from '../emails/post-office.js'
import { AccountsError, fieldError, invalidInput } from '../errors.js'
import type { Who } from '../logins/who.js'
import { fail } from '../options/checks.js'
import type { ResolvedOptions } from '../options/resolve.js'
import type { PageTheme } from '../pages/theme.js'
import type { Passwords } from '../passwords/passwords.js'
import type { Client } from '../sessions/client.js'
import { refuse } from '../sessions/session-parts.js'
import { actingStores } from '../users/acting-stores.js'
import { type AdmitDeps, admit, whoOf } from './guard/access.js'
import { browserConstraints } from './guard/browser-constraints.js'
import { refuseWhileClosing } from './guard/closing.js'
import { refuseCrossSite } from './guard/cross-site.js'
import { refuseSeveralHosts } from './guard/one-host.js'
import { answersPreflights, preflightRoute } from './guard/preflights.js'
import { setCommonHeaders, setLinkPageHeaders } from './guard/security-headers.js'
import type { ThrottleByIp } from './guard/throttle-by-ip.js'
import { limitBodyTime } from './input/body-deadline.js'
import { checkDelivery } from './input/delivery-header.js'
import type { Input } from './operation.js'
import type { ClientOf } from './output/client.js'
import { respond } from './output/respond.js'
import { errorReply } from './output/schemas.js'
import { withTokens } from './output/with-tokens.js'
import type { MountedRoute, Route, RouteContext, SwaggerTransform } from './route.js'
import { routesByPath } from './routes-by-path.js'
import { scopePath } from './scope-path.js'

interface MountDeps extends AdmitDeps {
  options: Pick<
    ResolvedOptions,
    | 'constraints'
    | 'origin'
    | 'trustedOrigins'
    | 'session'
    | 'userStore'
    | 'tokenSigner'
    | 'secret'
    | 'baseUrl'
  >
  prefix: string
  clientOf: ClientOf
  /** Whether sessions may be delivered as tokens. */
  deliversTokens: boolean
  themeOf(client: Client): PageTheme
  /** How @fastify/swagger describes a route. */
  swaggerTransformOf(route: Route): SwaggerTransform
  throttleByIp: ThrottleByIp
  /** Of the pages. */
  contentSecurityPolicy: string
  /** Whether `app.close()` has begun: requests that still arrive are for another process. */
  isClosing(): boolean
}

/** Mounts routes in a scope: with and without the slash, wrong methods as 405. */
export function mountRoutes(scope: FastifyInstance, routes: readonly MountedRoute[], deps: MountDeps): void {
  const mount = mounter(scope, deps)

  for (const declaration of routes) {
    const route = deps.deliversTokens ? withTokens(declaration) : declaration
    const { access, action, linkPage } = route
    const { handler, formAgain } = bind(route, deps)
    // What browsers open by a link or send by a form: they get a page or a redirect.
    const forBrowsers = linkPage || route.operation.redirects
    mount(route, forBrowsers, {
      method: route.method,
      url: route.path,
      schema: withRefusals(route.schema),
      exposeHeadRoute: route.method === 'GET',
      config: {
        accounts: {
          access,
          action,
          route: declaration,
          ...(linkPage && { linkPage }),
          ...(formAgain && { formAgain }),
        },
        // An option of @fastify/swagger, whose types we don't depend on.
        ...{ swaggerTransform: deps.swaggerTransformOf(route) },
      },
      onRequest: guardOf(route, deps),
      ...(mayHaveBody(route) && { preValidation: route.schema.body ? expectFields : refuseFields }),
      handler,
    })
  }

  for (const [path, { first, methods }] of routesByPath(routes)) {
    const { action, linkPage, isLink } = first
    const allowed = methods.includes('GET') ? ['HEAD', ...methods] : methods
    const allow = allowed.toSorted().join(', ')
    mount(first, linkPage, {
      // Fastify's own and those added by the host, except OPTIONS, which the host handles for CORS.
      method: scope.supportedMethods.filter((method) => !allowed.includes(method) && method !== 'OPTIONS'),
      url: path,
      config: { accounts: { access: 'anyone', action } },
      schema: { hide: true } as FastifySchema,
      onRequest: async (_request, reply) => {
        setCommonHeaders(reply)
        reply.header('allow', allow)
        throw new AccountsError('ACCOUNTS_METHOD_NOT_ALLOWED')
      },
      handler: async () => {},
    })
    if (isLink && answersPreflights(scope)) mount(first, linkPage, preflightRoute(path, allow))
  }
}

/** Binds a route's operation to requests and responses. */
function bind(
  { core, access, method, handle, formAgain, linkPage, operation }: MountedRoute,
  { clientOf, themeOf }: MountDeps,
): {
  handler(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>
  formAgain?: RouteContext['formAgain']
} {
  const inputOf = ({ body, params, query }: FastifyRequest, who: Who | null, client: Client) =>
    ({ body, params, query, who, client }) as Input
  return {
    async handler(request, reply) {
      const client = clientOf(request, reply)
      const who = whoOf(request)
      const writes = access === 'anyone-known' ? 'create' : 'all'
      const acting =
        method === 'GET' || who === null ? core : { ...core, ...actingStores(core, who.user, writes) }
      const result = await handle(inputOf(request, who, client), depsFor(acting, client, who))
      return respond(result, client, reply, linkPage ? themeOf : null, operation.setsSession)
    },
    ...(formAgain && {
      async formAgain(request, reply, faults) {
        const client = clientOf(request, reply)
        const who = whoOf(request)
        return formAgain(inputOf(request, who, client), faults, depsFor(core, client, who))
      },
    }),
  }
}

/** The deps of one request. AsyncLocalStorage would slow down every promise of the host up to Node.js 22. */
export function depsFor<D extends { postOffice: PostOffice; passwords: Passwords }>(
  core: D,
  client: Client,
  who: Who | null = null,
): D {
  return {
    ...core,
    postOffice: core.postOffice.onRequest(client, who?.login.name),
    passwords: core.passwords.whileThere(client),
  }
}

type Mount = (
  of: Pick<Route, 'name' | 'path' | 'isLink'>,
  forBrowsers: boolean | undefined,
  route: RouteOptions,
) => void

/** Adds a route at each spelling of its path; one for browsers also without the constraints they can't meet. */
function mounter(scope: FastifyInstance, { options, prefix }: Pick<MountDeps, 'options' | 'prefix'>): Mount {
  const constraints = options.constraints === undefined ? {} : { constraints: options.constraints }

  function add(name: string, route: RouteOptions): void {
    try {
      scope.route(route)
    } catch (error) {
      if ((error as { code?: unknown }).code !== 'FST_ERR_DUPLICATED_ROUTE') throw error
      fail(
        `paths.${name}`,
        `must be another path, or the option prefix: the app has a route at ${scopePath(scope)}${route.url} already`,
      )
    }
  }

  return ({ name, path, isLink }, forBrowsers, route) => {
    // The same operation for OpenAPI, where it is described once.
    const again = { ...route, config: { ...route.config, ...{ swaggerTransform: hidden } } }
    const urls = spellings(scope, prefix + path)
    for (const url of isLink ? [...urls, withMore(prefix + path)] : urls) {
      add(name, { ...(urls.includes(url) ? route : again), url, ...constraints })
      const relaxed = forBrowsers ? browserConstraints(scope, url, options) : undefined
      if (relaxed !== undefined) add(name, { ...again, url, constraints: relaxed })
    }
  }
}

/** The checks of a request before its body is read. */
function guardOf(
  route: Route,
  deps: MountDeps,
): (request: FastifyRequest, reply: FastifyReply) => Promise<unknown> {
  const { access, isOpenToOtherSites = false, budget, precheck, linkPage } = route
  const { options, throttleByIp, isClosing, clientOf, deliversTokens } = deps
  return async (request, reply) => {
    if (mayHaveBody(route) && lacksParam(request)) return reply.callNotFound()
    setCommonHeaders(reply)
    if (linkPage) setLinkPageHeaders(reply, deps.contentSecurityPolicy)
    refuseSeveralHosts(request)
    if (isClosing() && (access !== 'anyone' || budget !== null)) refuseWhileClosing()
    if (deliversTokens) checkDelivery(request)
    const client = clientOf(request, reply)
    if (!isOpenToOtherSites && client.bearer === null) refuseCrossSite(request, options)
    // Neither a refresh token, which is for one route's body, nor a program's key logs anybody in.
    if (client.bearer !== null && client.bearer.kind !== 'access') refuse(client)
    if (budget !== null) await throttleByIp.spend(budget, request, reply)
    precheck?.(client)
    if (access !== 'anyone') await admit(route, request, client, deps)
    if (mayHaveBody(route)) limitBodyTime(request, reply)
  }
}

const mayHaveBody = ({ method }: Route): boolean => method !== 'GET'

/**
 * Whether the path has one part less than its route: the router takes `/reset/code/` for `/reset/:uid64/:token` with an
 * empty token, although this mount may have no such route. `/reset/MQ//` has an empty part, and so a token that is invalid.
 */
function lacksParam({ params, routeOptions }: FastifyRequest): boolean {
  return !routeOptions.url?.endsWith('/') && Object.values(params as object).includes('')
}

const hidden: SwaggerTransform = ({ schema = {}, url }) => ({ schema: { ...schema, hide: true }, url })

/** @fastify/swagger gets more detail: see openapi-errors.ts. */
function withRefusals({ response, ...schema }: FastifySchema): FastifySchema {
  return { ...schema, response: { ...(response as object), '4xx': errorReply, '5xx': errorReply } }
}

/** A request without a body has no fields, so each required one is reported by name. */
async function expectFields(request: FastifyRequest): Promise<void> {
  request.body ??= {}
}

/** A route without fields rejects each one. */
async function refuseFields({ body }: FastifyRequest): Promise<void> {
  if (body === undefined || body === null) return
  if (typeof body !== 'object') throw invalidInput(fieldError('', 'invalid'))
  const names = Object.keys(body)
  if (names.length > 0) throw invalidInput(...names.map((name) => fieldError(name, 'unknown')))
}

/** The path of a link, with whatever a mail program has added to it. */
function withMore(path: string): string {
  return path.endsWith('/') ? `${path}*` : `${path}/*`
}

/** With and without the trailing slash; only one of them if the host's router treats both as the same. */
function spellings(scope: FastifyInstance, path: string): string[] {
  const { ignoreTrailingSlash } = scope.initialConfig.routerOptions ?? scope.initialConfig
  if (ignoreTrailingSlash) return [path]
  return path.endsWith('/') ? [path, path.slice(0, -1)] : [path, `${path}/`]
}
