import { EventEmitter } from 'node:events'
import fastifyCookie from '@fastify/cookie'
import type { FastifyInstance, FastifyRequest, RegisterOptions } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import { type AccountsEvents, accountsOf } from './accounts.js'
import { type Adapters, chooseAdapters } from './adapters.js'
import {
  checkDecorators,
  checkLateSession,
  checkProduction,
  checkRealm,
  checkSessionStore,
  checkTokenLength,
  checkWellKnown,
  hasHostSession,
} from './boot-checks.js'
import type { Deps } from './deps.js'
import { examine, watchForwarded } from './doctor.js'
import { createComposer } from './emails/compose.js'
import { createPostOffice } from './emails/post-office.js'
import type { AccountsOptions, ResolvedOptions } from './options.js'
import { contentSecurityPolicy } from './pages/layout.js'
import type { Look } from './pages/look.js'
import { createPasswords } from './passwords/passwords.js'
import { resolveOptions } from './resolve-options.js'
import { apiRootRoute } from './routes/api-root.js'
import { setAudit } from './routes/audit.js'
import { authRoutes, sessionRoutes } from './routes/auth.js'
import { setBodyParsers } from './routes/body-parsers.js'
import { setErrorAnswers } from './routes/error-answers.js'
import { describeLate } from './routes/late-openapi.js'
import { maskedRequest } from './routes/log-serializers.js'
import { type Realm, swaggerTransform } from './routes/openapi.js'
import { mountRoutes, type Route } from './routes/route.js'
import { languageOf } from './routes/speech.js'
import { createThrottleByIp } from './routes/throttle-by-ip.js'
import { usersRoutes } from './routes/users.js'
import { setStrictValidation } from './routes/validation.js'
import { mountWellKnown } from './routes/well-known.js'
import { createDeviceCookie } from './sessions/device-cookie.js'
import { createEndedSessions } from './sessions/ended-sessions.js'
import { registerFastifySession } from './sessions/fastify-session.js'
import { createHostSessionKeeper, createHostSessionReader } from './sessions/host-session.js'
import { type CookieCodec, createSessionCookie, type SessionCookie } from './sessions/session-cookie.js'
import { createSessionKeeper, type SessionKeeper } from './sessions/session-keeper.js'
import { createSessionList, type SessionList } from './sessions/session-list.js'
import { createSessionReader, type SessionReader } from './sessions/session-reader.js'
import { createThrottle } from './throttle/throttle.js'
import { createEmailLinks } from './tokens/email-link.js'
import { createListCursor } from './tokens/list-cursor.js'

/** How long `app.close()` waits for mails under way, in milliseconds. */
const drainTimeout = 8_000
/** How often expired sessions are removed, in milliseconds. */
const pruneInterval = 10 * 60_000

/** User accounts for Fastify. See {@link AccountsOptions}. */
async function plugin(
  app: FastifyInstance,
  given: AccountsOptions & Pick<RegisterOptions, 'logLevel'>,
): Promise<void> {
  const options = resolveOptions(given)
  checkDecorators(app, options)
  checkSessionStore(app, options)
  checkRealm(app, options)
  const adapters = chooseAdapters(options)
  const bases = publicBases(app, options)
  await checkTokenLength(app, adapters.signer, bases.auth)
  const { reader, keeper, sessionList, cookie, codec } = chooseSessions(app, options, adapters)
  checkProduction(options, cookie !== null)
  const events = new EventEmitter<AccountsEvents>()
  const deps = assemble(app, { options, adapters, bases, keeper, events })

  app.decorate(options.decorateAs.instance, accountsOf(deps, reader, events, options))
  app.decorateRequest(options.decorateAs.request, null)
  app.addHook('onClose', () => deps.postOffice.drain(drainTimeout))
  app.addHook('onReady', async () => {
    checkLateSession(app, cookie !== null)
    examine(app, options)
  })

  const { brand, origin } = options
  const lookOf = (request: FastifyRequest): Look => ({
    language: languageOf(request, options.languages),
    brand,
    origin,
  })

  const changePasswordUrl = checkWellKnown(app, options) ?? `${bases.auth}/change-password/form/`
  if (changePasswordUrl !== false) mountWellKnown(app, changePasswordUrl)

  app.register(
    async (scope) => {
      watchForwarded(scope)
      describeLate(app, scope)
      const isHeard = (): boolean => options.auditLog || events.listenerCount('audit') > 0
      setAudit(scope, isHeard, (event) => {
        if (options.auditLog) {
          app.log.info({ audit: event }, `accounts: ${event.action} ${event.outcome}`)
        }
        emitSafely(app, events, 'audit', event)
      })
      setStrictValidation(scope)
      setErrorAnswers(scope, app, lookOf)
      setBodyParsers(scope)
      if (!scope.hasPlugin('@fastify/cookie')) await scope.register(fastifyCookie)
      codec.parse = (header) => scope.parseCookie(header)
      codec.serialize = (name, value, attributes) => scope.serializeCookie(name, value, attributes)
      const throttleByIp = await createThrottleByIp(scope, options.limits, adapters.throttleStore)
      const realm: Realm = {
        name: options.decorateAs.instance,
        // The host's own @fastify/session does not tell the name of its cookie; this is its default.
        cookieName: cookie?.name ?? 'sessionId',
        minPasswordLength: options.password.minLength,
      }
      const mounting = {
        options,
        readSession: reader,
        throttleByIp,
        swaggerTransformOf: (route: Route) => swaggerTransform(route, realm),
        contentSecurityPolicy: contentSecurityPolicy(options),
      }
      const index: { routes: readonly Route[]; base: string }[] = []
      const authPrefix = options.auth === false ? '' : options.auth.prefix

      if (options.auth !== false) {
        const device = createDeviceCookie(options, codec)
        const authDeps = {
          ...deps,
          keeper,
          sessionList,
          device,
          fields: options.fields,
          resetDonePath: bases.resetDonePath,
          lookOf,
        }
        const beginning = sessionRoutes(authDeps)
        await scope.register(async (inner) => {
          // Where `cookie` is null the host's own @fastify/session runs here already.
          if (cookie !== null) {
            await registerFastifySession(inner, {
              sessions: adapters.sessions,
              cookie,
              options: options.session,
            })
          }
          mountRoutes(inner, beginning, { ...mounting, prefix: authPrefix })
        })
        const others = authRoutes(authDeps)
        mountRoutes(scope, others, { ...mounting, prefix: authPrefix })
        index.push({ routes: [...beginning, ...others], base: bases.auth })
      }

      if (options.users !== false) {
        const { variant, prefix } = options.users
        const routes = usersRoutes({
          ...deps,
          keeper,
          cursor: createListCursor(options.secrets),
          fields: options.fields,
          usersOptions: options.users,
          // With variant B alone no user is shown at a path of their own.
          locationOf(id) {
            if (variant !== 'signup') return `${bases.users}/user/${id}`
            return options.auth ? `${bases.auth}/me/` : undefined
          },
          urlOf: (path) => bases.users + path,
          lookOf,
        })
        mountRoutes(scope, routes, { ...mounting, prefix })
        index.push({ routes, base: bases.users })
      }

      if (options.apiRoot) {
        mountRoutes(scope, [apiRootRoute(index, bases.auth)], { ...mounting, prefix: authPrefix })
      }
    },
    {
      prefix: options.prefix,
      ...(given.logLevel && { logLevel: given.logLevel }),
      logSerializers: { req: maskedRequest as (request: FastifyRequest) => never },
    },
  )
}

/** Where the routes are, as absolute URLs without a slash at the end. */
function publicBases(app: FastifyInstance, options: ResolvedOptions) {
  const base = `${options.baseUrl}${app.prefix}${options.prefix}`
  const auth = base + (options.auth === false ? '' : options.auth.prefix)
  const users = base + (options.users === false ? '' : options.users.prefix)
  return { auth, users, resetDonePath: `${new URL(auth).pathname.replace(/\/$/, '')}/reset/d/` }
}

/** Sessions in our own store, or in the host's @fastify/session where it has registered one. */
function chooseSessions(
  app: FastifyInstance,
  options: ResolvedOptions,
  { users, sessions, findVisit, deleteExpiredSessions }: Adapters,
): {
  reader: SessionReader
  keeper: SessionKeeper
  /** `null` where the host keeps the sessions. */
  sessionList: SessionList | null
  cookie: SessionCookie | null
  codec: CookieCodec
} {
  const notYet = (): never => {
    throw new Error('fastify-accounts: the app is not ready yet')
  }
  const codec: CookieCodec = { parse: notYet, serialize: notYet }

  if (hasHostSession(app)) {
    app.log.info(
      'accounts: logins live in the @fastify/session of the host; the sessions of a user cannot be listed, nor ended one by one, so there is no /sessions/, and "remember" at login changes nothing',
    )
    const ended = createEndedSessions(options)
    const reader = createHostSessionReader({ users, ended, options: options.session })
    return { reader, keeper: createHostSessionKeeper({ ended }), sessionList: null, cookie: null, codec }
  }

  const cookie = createSessionCookie(options, codec)
  const reader = createSessionReader({ findVisit, sessions, cookie, options: options.session })
  const keeper = createSessionKeeper({ sessions, cookie, options: options.session, log: app.log })
  const sessionList = createSessionList({ sessions, cookie, options: options.session })
  let pruning = false
  const timer = setInterval(async () => {
    // One run at a time: after a long pause there may be much to remove.
    if (pruning) return
    pruning = true
    await deleteExpiredSessions().catch((error) => {
      app.log.warn({ err: error }, 'accounts: expired sessions could not be removed')
    })
    pruning = false
  }, pruneInterval)
  timer.unref()
  app.addHook('onClose', async () => clearInterval(timer))
  return { reader, keeper, sessionList, cookie, codec }
}

/** What a listener of the host does wrong, at once or later, harms neither us nor the other listeners. */
function emitSafely<Name extends keyof AccountsEvents>(
  app: FastifyInstance,
  events: EventEmitter<AccountsEvents>,
  name: Name,
  ...args: AccountsEvents[Name]
): void {
  for (const listener of events.rawListeners(name)) {
    // Each has the type of its name, which `rawListeners` forgets.
    const call = async (): Promise<unknown> =>
      (listener as (...args: AccountsEvents[Name]) => unknown).apply(events, args)
    call().catch((error: unknown) => {
      app.log.error({ err: error }, `accounts: a listener of ${name} failed`)
    })
  }
}

function assemble(
  app: FastifyInstance,
  parts: {
    options: ResolvedOptions
    adapters: Adapters
    bases: ReturnType<typeof publicBases>
    keeper: SessionKeeper
    events: EventEmitter<AccountsEvents>
  },
): Deps {
  const { options, adapters, bases, keeper, events } = parts
  return {
    options,
    users: adapters.users,
    passwords: createPasswords(adapters.hasher, options.password.concurrency),
    throttle: createThrottle(adapters.throttleStore, options.limits),
    links: createEmailLinks({
      users: adapters.users,
      signer: adapters.signer,
      kinds: {
        'reset-password': { audience: bases.auth, lifetime: options.links.resetLifetime },
        'verify-email': { audience: bases.users, lifetime: options.links.verifyLifetime },
        'change-email': { audience: bases.auth, lifetime: options.links.changeEmailLifetime },
        'undo-email': { audience: bases.auth, lifetime: options.links.undoLifetime },
        'not-me': { audience: bases.auth, lifetime: options.links.undoLifetime },
      },
    }),
    postOffice: createPostOffice({
      mailer: adapters.mailer,
      compose: createComposer(options.languages, options.brand, options.given.emails),
      site: options.brand.name,
      languages: options.languages,
      onFailure(failure) {
        const { error, kind, userId } = failure
        app.log.error({ err: error, kind, userId }, 'accounts: a mail was given up')
        emitSafely(app, events, 'mail-failed', failure)
      },
    }),
    resetUrl: ({ uid64, token }) => (options.auth ? `${bases.auth}/reset/${uid64}/${token}/` : undefined),
    verifyUrl: ({ uid64, token }, variant) => `${bases.users}/${variant}/v/${uid64}/${token}/`,
    accountUrl(path, { uid64, token }, email) {
      const query = email === undefined ? '' : `?${new URLSearchParams({ email })}`
      return `${bases.auth}/${path}/${uid64}/${token}/${query}`
    },
    removeSessions: keeper.removeAll,
  }
}

export default fastifyPlugin(plugin, { name: 'fastify-accounts', fastify: '>=5.12.1 <6' })
