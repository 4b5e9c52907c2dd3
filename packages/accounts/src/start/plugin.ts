import { EventEmitter } from 'node:events'
import type { FastifyInstance, FastifyRequest, RegisterOptions } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import { createOutage } from '../adapters/outages.js'
import { mailRealms } from '../emails/own-realm.js'
import { checkFeatures, composeFeatures, composeMustHaveFactor } from '../features/compose.js'
import { composeHost } from '../features/compose-host.js'
import { composeInvitationTargets } from '../features/compose-invitation-targets.js'
import { composeSubscribers } from '../features/compose-subscribers.js'
import { shippedFor } from '../features/shipped.js'
import type { MountCore } from '../http/feature-core.js'
import { inRequestLanguage } from '../http/input/request-language.js'
import { createClientOf } from '../http/output/client.js'
import { themeFrameworkErrors } from '../http/output/framework-errors.js'
import { maskedRequest } from '../http/output/log-serializers.js'
import { type Operations, performIn } from '../http/perform.js'
import { createRouteUrls } from '../http/route-urls.js'
import { scopePath } from '../http/scope-path.js'
import { mountWellKnown } from '../http/well-known.js'
import { choosable } from '../languages/languages.js'
import { createPendingLogins } from '../logins/awaiting-factor.js'
import { factorOwed } from '../logins/enrollment.js'
import { createRememberedDevices } from '../logins/remembered-devices.js'
import { createSignUpCookie } from '../logins/sign-up-cookie.js'
import type { AccountsOptions } from '../options/options.js'
import { type ResolvedOptions, resolveOptions } from '../options/resolve.js'
import { createPlainFrame } from '../pages/plain-frame.js'
import type { PageTheme } from '../pages/theme.js'
import { createAuthRecheck, createIsUnderWay } from '../sessions/auth-recheck.js'
import type { BearerKind } from '../sessions/bearer.js'
import type { Client } from '../sessions/client.js'
import { createNamedCookie } from '../sessions/named-cookie.js'
import { namedScope } from '../sessions/named-scope.js'
import { cookieName } from '../sessions/session-cookie.js'
import type { Accounts, AccountsEvents } from './accounts.js'
import { assemble } from './assemble.js'
import {
  checkDecorators,
  checkLateSession,
  checkOutbox,
  checkProduction,
  checkRealm,
  checkSessionStore,
  checkTokenLength,
  checkWellKnown,
} from './boot-checks.js'
import { createBrowserGuide } from './browser-guide.js'
import { chooseAdapters } from './choose-adapters.js'
import { chooseSessions } from './choose-sessions.js'
import { createAuditTrail } from './events.js'
import { guardExports, guardFactorRules, guardRules } from './guard-callbacks.js'
import { createCheck } from './health.js'
import { bindAccounts } from './host/bind-accounts.js'
import { createHostHooks } from './host/host-hooks.js'
import { offerLoginWithoutRequest } from './login-without-request.js'
import { mountScope } from './mount-scope.js'
import { pruneExpired } from './prune-expired.js'
import { publicBases } from './public-bases.js'
import { createRouteChecks } from './route-checks.js'
import { warnAboutProxy, warnAboutSetup } from './warnings.js'

/** How long hashes may wait once the app closes, in milliseconds; leaves time for a response, and for emails. */
const hashTimeout = 3_000

/** How long `app.close()` waits for emails and events in progress, in milliseconds. */
const drainTimeout = 8_000

/** The cookie in which a page keeps which language was chosen there. */
const languageCookie = (options: ResolvedOptions): string =>
  cookieName(`${options.session.cookieName}-language`, options)

/** User accounts for Fastify. See {@link AccountsOptions}. */
async function plugin(
  app: FastifyInstance,
  appOptions: AccountsOptions & Pick<RegisterOptions, 'logLevel'>,
): Promise<void> {
  const tags = Object.keys(Object(appOptions.languages?.texts))
  const composition = composeFeatures(shippedFor(appOptions), appOptions.features, tags)
  const resolved = resolveOptions(appOptions, composition.names)
  const hasPages = composition.features.some((feature) => feature.pages)
  const options = Object.freeze({
    ...resolved,
    authorize: guardRules(resolved, app.log),
    ...(hasPages && { languages: choosable(resolved.languages, languageCookie(resolved)) }),
  })
  checkDecorators(app, options)
  checkSessionStore(app, options)
  const adapters = chooseAdapters(options, app.log)
  checkFeatures(composition.features, options, adapters.users)
  const bases = publicBases(app, options)
  checkRealm(app, options, bases)
  await checkTokenLength(app, adapters.signer, bases.auth)
  const { features, enabled } = composition
  pruneExpired(app, 'invitations', adapters.deleteExpired.invitations)
  if (adapters.deleteExpired.activity) pruneExpired(app, 'activity', adapters.deleteExpired.activity)
  const sessions = await chooseSessions(app, options, adapters, enabled)
  const { readSession, keeper, codec, device, refreshes } = sessions
  const isOurs = keeper.list !== undefined
  checkProduction(options, isOurs)
  const events = new EventEmitter<AccountsEvents>()
  const where = createRouteUrls()
  const parts = { options, composition, adapters, bases, where, keeper, events }
  const { deps, postman, courier, subscribe, invitationTargets, linkKinds } = assemble(app, parts)
  const audit = createAuditTrail(app, options, events, deps.events)

  const mustHaveFactor = composeMustHaveFactor(guardFactorRules(features, options, app.log))
  const exportAll = guardExports(features, options, app.log)
  const core: MountCore = {
    ...deps,
    options,
    features: new Set(features.map(({ name }) => name)),
    hasOtherWays: options.auth !== false && features.some(({ hasWayIn }) => hasWayIn),
    hasApiKeys: enabled.apiKeys !== undefined,
    logsInOnProof: enabled.loginOnProof === true,
    keeper,
    activity: adapters.activity,
    refreshes,
    device,
    signUp: createSignUpCookie(options, codec),
    pending: {
      logins: createPendingLogins(options),
      cookie: createNamedCookie('pending', options, codec),
      devices: createRememberedDevices(options, enabled.rememberFor ?? 0),
      deviceCookie: createNamedCookie('remembered', options, codec),
    },
    mustHaveFactor,
    owesFactor: async (who) => (await factorOwed(who, mustHaveFactor)) !== null,
    cookie: (name) => createNamedCookie(name, options, codec),
    exportOf: (user, client) => exportAll(user, core, client),
    where,
    base: bases.auth,
    watchOutages: (name) => createOutage(name, app.log),
    warn: (code, text) => app.log.warn({ code }, `fastify-accounts: ${text} (${code})`),
  }
  for (const each of composeInvitationTargets(features, core)) invitationTargets.set(...each)
  const subscribers = composeSubscribers(features, options, core)
  subscribe(subscribers)
  const recheck = createAuthRecheck(app, (error, request) =>
    inRequestLanguage(error, request, options.languages),
  )
  const bearers: BearerKind[] = [
    ...(enabled.tokens ? (['access'] as const) : []),
    ...(enabled.tokens?.refreshes ? (['refresh'] as const) : []),
    ...(enabled.apiKeys ? (['key'] as const) : []),
  ]
  const clientOf = createClientOf({ options, codec, tokens: enabled.tokens, bearers })
  const check = createCheck({
    adapters,
    realms: mailRealms(options),
    hashes: () => ({ ...adapters.hashes(), ...deps.passwords.waiting() }),
    deliveries: postman.underWay,
    events:
      subscribers.size === 0
        ? null
        : {
            mount: options.decorateAs.instance,
            subscribers: [...subscribers.keys()],
            deliveries: courier.underWay,
          },
    now: adapters.now,
  })
  const host = composeHost(features, core)
  const guide = createBrowserGuide(options)
  if (hasPages) app.addHook('onSend', guide.lead)
  const { visitors, ...hooks } = createHostHooks(core, {
    ...{ readSession, clientOf, recheck, guide },
    isUnderWay: createIsUnderWay(app),
    programs: host.programs,
    checkRoutes: createRouteChecks(app),
  })
  const operations: Operations = new Map()
  const bound = bindAccounts({
    core,
    audit,
    linkKinds,
    host,
    featureHooks: host.hooks(visitors),
    own: { ...hooks, check, events, perform: performIn(operations) as Accounts['perform'] },
  })
  offerLoginWithoutRequest(app, bound, core, clientOf)
  app.decorate(options.decorateAs.instance, bound)
  app.decorateRequest(options.decorateAs.request, null)
  let isClosing = false
  app.addHook('preClose', async () => {
    isClosing = true
    deps.passwords.drain(hashTimeout)
  })
  app.addHook('onClose', async () => {
    await deps.events.flush()
    await Promise.all([postman.drain(drainTimeout), courier.drain(drainTimeout)])
    // Emails given up just now: another process delivers that.
    await deps.events.flush()
  })
  app.addHook('onReady', async () => {
    checkLateSession(app, isOurs)
    warnAboutSetup(app, options, subscribers.size > 0 && !adapters.storesMails)
    await checkOutbox(app, options)
    postman.start()
    courier.start()
  })
  app.addHook('onListen', async () => warnAboutProxy(app, options))

  const { brand, origin } = options
  const plainFrame = createPlainFrame(options)
  const themeOf = ({ language }: Pick<Client, 'language'>): PageTheme => ({
    ...{ language, brand, origin },
    frame: guide.pages?.frame ?? plainFrame,
  })

  themeFrameworkErrors(app, {
    prefix: scopePath(app) + options.prefix,
    clientOf,
    themeOf,
  })

  const changePasswordUrl = checkWellKnown(app, options)
  if (changePasswordUrl !== false) {
    // W3C, A Well-Known URL for Changing Passwords: password managers send users with leaked passwords there.
    const target = () => changePasswordUrl ?? options.origin + where.path('change-password-form')
    mountWellKnown(app, 'change-password', (reply) => reply.redirect(target(), 302), options)
  }

  app.register(
    namedScope('routes', async (scope) =>
      mountScope(app, scope, {
        ...parts,
        ...sessions,
        core,
        recheck,
        audit,
        clientOf,
        themeOf,
        guide,
        operations,
        isClosing: () => isClosing,
      }),
    ),
    {
      prefix: options.prefix,
      ...(appOptions.logLevel && { logLevel: appOptions.logLevel }),
      logSerializers: { req: maskedRequest as (request: FastifyRequest) => never },
    },
  )
}

/** The Fastify plugin. */
const accounts: typeof plugin = fastifyPlugin(plugin, { name: 'fastify-accounts', fastify: '>=5.12.1 <6' })
export default accounts
