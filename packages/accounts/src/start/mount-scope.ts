import type { FastifyInstance } from 'fastify'
import type { ReasonTexts } from '../errors.js'
import { type Additions, checkRoutes } from '../features/check-routes.js'
import { type Composition, cookiesOf } from '../features/compose.js'
import type { FactorCore, Feature, FeatureCore } from '../features/feature.js'
import { apiRootRoute } from '../http/api-root.js'
import type { MountCore } from '../http/feature-core.js'
import { type AuditTrail, setAudit } from '../http/guard/audit.js'
import { limitPipelining } from '../http/guard/limit-pipelining.js'
import { lingeringClose } from '../http/guard/lingering-close.js'
import { createThrottleByIp, type ThrottleByIp } from '../http/guard/throttle-by-ip.js'
import { endBodyTime } from '../http/input/body-deadline.js'
import { setBodyParsers } from '../http/input/body-parsers.js'
import { setStrictValidation } from '../http/input/validation.js'
import { mountPages } from '../http/mount-pages.js'
import { mountRoutes } from '../http/mount-routes.js'
import { moveRoutes } from '../http/move-routes.js'
import { type Realm, swaggerTransform } from '../http/openapi/openapi.js'
import { codesOf } from '../http/openapi/openapi-errors.js'
import { eventsOf } from '../http/openapi/openapi-events.js'
import type { ClientOf } from '../http/output/client.js'
import { setErrorResponses } from '../http/output/error-responses.js'
import type { Operations } from '../http/perform.js'
import type { MountedRoute, Route } from '../http/route.js'
import type { createRouteUrls } from '../http/route-urls.js'
import { mountWellKnown } from '../http/well-known.js'
import type { Factor } from '../logins/factor.js'
import { ownerProofs } from '../logins/owner-proof.js'
import type { PageTheme } from '../pages/theme.js'
import type { AuthRecheck } from '../sessions/auth-recheck.js'
import { type Client, requestOf } from '../sessions/client.js'
import type { SessionReader } from '../sessions/session-reader.js'
import type { User } from '../user.js'
import { ownRecord } from '../users/own-record.js'
import { isAtRoot } from './boot-checks.js'
import type { BrowserGuide } from './browser-guide.js'
import type { Adapters } from './choose-adapters.js'
import { checkLinkPages } from './link-kinds.js'
import type { PublicBases } from './public-bases.js'
import { throttleRealm } from './throttle-realm.js'
import {
  warnOnForwarded,
  warnOnLateSwagger,
  warnOnLoggedLinks,
  warnOnLostRefusals,
  warnOnMissingAddress,
} from './warnings.js'

/** What the routes' scope works with; `plugin` has assembled it. */
interface Parts {
  core: MountCore
  composition: Composition
  adapters: Adapters
  bases: PublicBases
  where: ReturnType<typeof createRouteUrls>
  readSession: SessionReader
  cookieName: string
  recheck: AuthRecheck
  audit: AuditTrail
  clientOf: ClientOf
  themeOf(client: Pick<Client, 'language'>): PageTheme
  guide: BrowserGuide
  operations: Operations
  /** Whether `app.close()` has begun. */
  isClosing(): boolean
}

/** Sets up what surrounds every route of the plugin, then mounts its own routes and those of the features. */
export async function mountScope(app: FastifyInstance, scope: FastifyInstance, parts: Parts): Promise<void> {
  const { core, adapters, composition, where } = parts
  const { options, mustHaveFactor } = core
  surround(app, scope, parts)
  const throttleByIp = await createThrottleByIp(
    scope,
    options.limits,
    adapters.throttleStore,
    throttleRealm(app, options),
  )
  const realm: Realm = {
    name: options.decorateAs.instance,
    cookieName: parts.cookieName,
    newPassword: { minLength: options.password.minLength, maxLength: options.password.maxLength },
    hasApiKeys: core.hasApiKeys,
    tokens: composition.enabled.tokens,
    asksForFactor: mustHaveFactor !== undefined,
    rules: Object.keys(core.rules),
    errorCodes: codesOf(composition.features),
    reasons: (composition.names.catalogue.en as { reasons: ReasonTexts }).reasons,
    forms: options.openapi.forms,
    hasPages: composition.features.some(({ pages }) => pages),
    events: options.openapi.webhooks ? eventsOf(composition.features) : {},
  }
  const { groups, documents, ownerProofsOf, coreOf } = composeRoutes(parts, throttleByIp)
  parts.guide.bring(composition.features, coreOf)
  const mounting = {
    ...parts,
    options,
    tokens: composition.enabled.tokens,
    mustHaveFactor,
    ownerProofsOf,
    throttleByIp,
    swaggerTransformOf: (route: Route) => swaggerTransform(route, realm),
  }
  if (isAtRoot(app, options)) {
    for (const [name, document] of documents)
      mountWellKnown(app, name, (reply) => reply.send(document), options)
  }
  for (const { routes, prefix, base } of moveRoutes(groups, options.paths)) {
    mountRoutes(scope, routes, { ...mounting, prefix })
    where.add(routes, base)
  }
  checkLinkPages(composition.links, options, where)
  const { pages } = parts.guide
  if (pages === null || options.auth === false) return
  mountPages(scope, pages.routes, {
    ...mounting,
    ...parts.guide,
    prefix: options.auth.prefix,
  })
}

/** Hooks, parsers and error handling, which Fastify scopes. */
function surround(
  app: FastifyInstance,
  scope: FastifyInstance,
  { core: { options }, audit, clientOf, themeOf, guide }: Parts,
): void {
  scope.addHook('onRequest', limitPipelining)
  scope.addHook('onRequest', lingeringClose)
  warnOnForwarded(scope)
  warnOnMissingAddress(scope)
  warnOnLateSwagger(app)
  warnOnLoggedLinks(app, options)
  setAudit(scope, audit)
  const hasOwnSchemas = options.fields !== undefined || options.signUp.fields !== undefined
  setStrictValidation(scope, hasOwnSchemas)
  setErrorResponses(scope, app, { clientOf, themeOf, ...guide }, options, warnOnLostRefusals(scope))
  scope.addHook('preValidation', endBodyTime)
  setBodyParsers(scope)
}

/** The routes by prefix, and the documents of /.well-known/ by name. */
function composeRoutes(
  { core: mounted, composition, bases, where }: Parts,
  throttleByIp: ThrottleByIp,
): {
  groups: { routes: readonly MountedRoute[]; prefix: string; base: string }[]
  documents: [name: string, document: object][]
  ownerProofsOf: FeatureCore['ownerProofsOf']
  coreOf(feature: Feature): FeatureCore
} {
  const { options, cookie, throttle } = mounted
  /** Somebody who keeps logging in to their own account must not lift the limit. */
  async function giveBack(client: Client, { id }: Pick<User, 'id'>): Promise<void> {
    if (await throttle.allows('priorityHashes', `ip:${id}`)) await throttleByIp.giveBack(client[requestOf])
  }
  const shared: FactorCore = {
    ...mounted,
    throttleByIp: (budget, client) => throttleByIp.spend(budget, client[requestOf]),
    giveBackByIp: (client, user) => void giveBack(client, user).catch(() => {}),
    ownerProofsOf: async (user) =>
      factors.some(({ logsIn }) => logsIn)
        ? ownerProofs(await ownRecord(mounted, user), factors, options)
        : null,
  }
  const { features, names } = composition
  const own = <Core>(feature: Feature, core: Core): Core => ({ ...core, cookie: cookiesOf(feature, cookie) })
  const factorsOf = features.map((feature) => feature.factors?.(own(feature, shared)) ?? [])
  const factors: readonly Factor[] = factorsOf.flat()
  const beginnings =
    options.auth === false ? [] : features.flatMap((each) => each.beginnings?.(own(each, shared)) ?? [])
  const withFactors = { ...shared, factors, beginnings }
  const confirmationsOf = features.map((feature) => feature.confirmations?.(own(feature, withFactors)) ?? [])
  const core: FeatureCore = { ...withFactors, confirmations: confirmationsOf.flat() }
  const additions = features.map((feature, at): Additions & { core: FeatureCore } => {
    const ownCore = own(feature, core)
    return {
      feature: feature.name,
      core: ownCore,
      routes: feature.routes?.(ownCore) ?? {},
      factors: factorsOf[at] ?? [],
      confirmations: confirmationsOf[at] ?? [],
    }
  })
  const coreOf = (feature: Feature): FeatureCore => own(feature, core)
  const root = [{ ...apiRootRoute(where), feature: 'api-root', core }]
  const index: Additions = { feature: 'api-root', routes: { auth: root }, factors: [], confirmations: [] }
  checkRoutes([index, ...additions], names.limits)
  const { auth, users } = options
  const authPrefix = auth === false ? '' : auth.prefix
  const routesOf = (mount: 'auth' | 'users'): MountedRoute[] =>
    additions.flatMap(({ routes, feature, core }) =>
      (routes[mount] ?? []).map((route) => ({ ...route, feature, core })),
    )
  return {
    groups: [
      ...(auth === false ? [] : [{ routes: routesOf('auth'), prefix: authPrefix, base: bases.auth }]),
      ...(users === false ? [] : [{ routes: routesOf('users'), prefix: users.prefix, base: bases.users }]),
      { routes: root, prefix: authPrefix, base: bases.auth },
    ],
    documents: additions.flatMap(({ routes: { wellKnown = {} } }) => Object.entries(wellKnown)),
    ownerProofsOf: core.ownerProofsOf,
    coreOf,
  }
}
