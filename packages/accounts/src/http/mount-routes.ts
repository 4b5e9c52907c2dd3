import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchema, RouteOptions } from 'fastify'
import { AccountsError } from '../errors.js'
import { fail } from '../options/checks.js'
import type { ResolvedOptions } from '../options/resolve.js'
import type { PageTheme } from '../pages/theme.js'
import type { Client } from '../sessions/client.js'
import { browserConstraints } from './guard/browser-constraints.js'
import { answersPreflights, preflightRoute } from './guard/preflights.js'
import { setCommonHeaders, setLinkPageHeaders } from './guard/security-headers.js'
import { limitBodyTime } from './input/body-deadline.js'
import { respond } from './output/respond.js'
import { errorReply } from './output/schemas.js'
import { withTokens } from './output/with-tokens.js'
import { type Operations, type PerformDeps, performer } from './perform.js'
import { checkFields, guardOf, lacksParam, mayHaveBody, resultOf } from './pipeline.js'
import type { MountedRoute, Route, SwaggerTransform } from './route.js'
import { scopePath } from './scope-path.js'
import { spellings } from './spellings.js'

interface MountDeps extends PerformDeps {
  options: PerformDeps['options'] &
    Pick<ResolvedOptions, 'constraints' | 'userStore' | 'tokenSigner' | 'secret' | 'baseUrl'>
  prefix: string
  themeOf(client: Client): PageTheme
  /** How @fastify/swagger describes a route. */
  swaggerTransformOf(route: Route): SwaggerTransform
  /** Where the operations are found by routes of the app. */
  operations: Operations
}

/** Mounts routes in a scope: with and without the slash, wrong methods as 405. */
export function mountRoutes(scope: FastifyInstance, routes: readonly MountedRoute[], deps: MountDeps): void {
  const mount = mounter(scope, deps)

  for (const declaration of routes) {
    const route = deps.tokens ? withTokens(declaration, deps.tokens.refreshes) : declaration
    const { access, action, linkPage, operation } = route
    deps.operations.set(operation.id, performer(scope, route, deps))
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
        },
        // An option of @fastify/swagger, whose types we don't depend on.
        ...{ swaggerTransform: deps.swaggerTransformOf(route) },
      },
      onRequest: entranceOf(route, deps),
      ...(mayHaveBody(route) && {
        preValidation: (request, reply) => checkFields(route, request, deps.clientOf(request, reply)),
      }),
      handler: async (request, reply) => {
        const client = deps.clientOf(request, reply)
        const result = await resultOf(route, request, client)
        return respond(result, client, reply, linkPage ? deps.themeOf : null, operation.setsSession)
      },
    })
  }

  for (const first of routes) {
    const { path, action, linkPage, isLink } = first
    const there = routes.filter((route) => route.path === path)
    if (there[0] !== first) continue
    const methods = there.map(({ method }): string => method)
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

/** What a request passes before its body is read. */
function entranceOf(
  route: Route,
  deps: MountDeps,
): (request: FastifyRequest, reply: FastifyReply) => Promise<unknown> {
  const guard = guardOf(route, deps)
  return async (request, reply) => {
    if (lacksParam(route, request, request.routeOptions.url)) return reply.callNotFound()
    if (route.linkPage) setLinkPageHeaders(reply, deps.themeOf(deps.clientOf(request, reply)).frame.policy())
    await guard(request, reply)
    if (mayHaveBody(route)) limitBodyTime(request, reply)
  }
}

const hidden: SwaggerTransform = ({ schema = {}, url }) => ({ schema: { ...schema, hide: true }, url })

/** @fastify/swagger gets more detail: see openapi-errors.ts. */
function withRefusals({ response, ...schema }: FastifySchema): FastifySchema {
  return { ...schema, response: { ...(response as object), '4xx': errorReply, '5xx': errorReply } }
}

/** The path of a link, with whatever a mail program has added to it. */
function withMore(path: string): string {
  return path.endsWith('/') ? `${path}*` : `${path}/*`
}
