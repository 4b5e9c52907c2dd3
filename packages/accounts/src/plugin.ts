import { EventEmitter } from 'node:events'
import type { FastifyInstance, FastifyRequest, RegisterOptions } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import type { AccountsOptions } from './options/options.js'
import { resolveOptions } from './options/resolve.js'
import { contentSecurityPolicy } from './pages/layout.js'
import type { PageTheme } from './pages/theme.js'
import { apiRootRoute } from './routes/api-root.js'
import { setAudit } from './routes/audit.js'
import { authRoutes } from './routes/auth.js'
import { setBodyParsers } from './routes/body-parsers.js'
import { setErrorAnswers } from './routes/error-answers.js'
import { themeFrameworkErrors } from './routes/framework-errors.js'
import { describeLate } from './routes/late-openapi.js'
import { lingeringClose } from './routes/lingering-close.js'
import { maskedRequest } from './routes/log-serializers.js'
import { type Realm, swaggerTransform } from './routes/openapi.js'
import { languageOf } from './routes/request-language.js'
import { mountRoutes, type Route } from './routes/route.js'
import { createThrottleByIp } from './routes/throttle-by-ip.js'
import { usersRoutes } from './routes/users.js'
import { setStrictValidation } from './routes/validation.js'
import { mountWellKnown } from './routes/well-known.js'
import { createAuthRecheck } from './sessions/auth-recheck.js'
import { createDeviceCookie } from './sessions/device-cookie.js'
import type { AccountsEvents } from './start/accounts.js'
import { assemble } from './start/assemble.js'
import { bindAccounts } from './start/bind-accounts.js'
import {
  checkDecorators,
  checkLateSession,
  checkOutbox,
  checkProduction,
  checkRealm,
  checkSessionStore,
  checkTokenLength,
  checkWellKnown,
} from './start/boot-checks.js'
import { chooseAdapters } from './start/choose-adapters.js'
import { chooseSessions } from './start/choose-sessions.js'
import { emitSafely } from './start/emit-safely.js'
import { createCheck } from './start/health.js'
import { createHostLogin } from './start/host-login.js'
import { publicBases } from './start/public-bases.js'
import { throttleRealm } from './start/throttle-realm.js'
import { examine, watchAddresses, watchForwarded } from './start/warnings.js'
import { createListCursor } from './tokens/list-cursor.js'

/** How long hashes may wait for their turn once the app closes, in milliseconds: time is left for an answer, and for mails. */
const hashTimeout = 3_000

/** How long `app.close()` waits for mails under way, in milliseconds. */
const drainTimeout = 8_000

/** User accounts for Fastify. See {@link AccountsOptions}. */
async function plugin(
  app: FastifyInstance,
  given: AccountsOptions & Pick<RegisterOptions, 'logLevel'>,
): Promise<void> {
  const options = resolveOptions(given)
  checkDecorators(app, options)
  checkSessionStore(app, options)
  checkRealm(app, options)
  const adapters = chooseAdapters(options, app.log)
  const bases = publicBases(app, options)
  await checkTokenLength(app, adapters.signer, bases.auth)
  const { reader, keeper, sessionList, cookie, codec } = await chooseSessions(app, options, adapters)
  checkProduction(options, cookie !== null)
  const events = new EventEmitter<AccountsEvents>()
  const { deps, postman } = assemble(app, { options, adapters, bases, keeper, events })

  const recheck = createAuthRecheck(app)
  const device = createDeviceCookie(options, codec)
  const logInByHost = createHostLogin({ ...deps, keeper, device }, options)
  const check = createCheck({
    adapters,
    hashes: () => ({ ...adapters.hashes(), ...deps.passwords.waiting() }),
    now: adapters.now,
  })
  const instance = bindAccounts(deps, reader, logInByHost, recheck, events, check, options)
  app.decorate(options.decorateAs.instance, instance)
  app.decorateRequest(options.decorateAs.request, null)
  let isClosing = false
  app.addHook('preClose', async () => {
    isClosing = true
    deps.passwords.drain(hashTimeout)
  })
  app.addHook('onClose', () => postman.drain(drainTimeout))
  app.addHook('onReady', async () => {
    checkLateSession(app, cookie !== null)
    examine(app, options)
    await checkOutbox(app, options)
    postman.start()
  })

  const { brand, origin } = options
  const themeOf = (request: FastifyRequest): PageTheme => ({
    language: languageOf(request, options.languages),
    brand,
    origin,
  })

  themeFrameworkErrors(app, {
    prefix: `${app.prefix}${options.prefix}`,
    themeOf,
    contentSecurityPolicy: contentSecurityPolicy(options),
  })

  const changePasswordUrl = checkWellKnown(app, options) ?? `${bases.auth}/change-password/form/`
  if (changePasswordUrl !== false) mountWellKnown(app, changePasswordUrl, options)

  app.register(
    async (scope) => {
      scope.addHook('onRequest', lingeringClose)
      watchForwarded(scope)
      watchAddresses(scope)
      describeLate(app, scope)
      const isHeard = (): boolean => options.auditLog || events.listenerCount('audit') > 0
      setAudit(scope, isHeard, (event) => {
        if (options.auditLog) {
          app.log.info({ audit: event }, `accounts: ${event.action} ${event.outcome}`)
        }
        emitSafely(app, events, 'audit', event)
      })
      setStrictValidation(scope, options.fields !== undefined)
      setErrorAnswers(scope, app, themeOf, options)
      setBodyParsers(scope)
      const throttleByIp = await createThrottleByIp(
        scope,
        options.limits,
        adapters.throttleStore,
        throttleRealm(app, options),
      )
      const realm: Realm = {
        name: options.decorateAs.instance,
        // The host's own @fastify/session does not tell the name of its cookie; this is its default.
        cookieName: cookie?.name ?? 'sessionId',
        newPassword: { minLength: options.password.minLength, maxLength: options.password.maxLength },
      }
      const mounting = {
        options,
        readSession: reader,
        recheck,
        throttleByIp,
        swaggerTransformOf: (route: Route) => swaggerTransform(route, realm),
        contentSecurityPolicy: contentSecurityPolicy(options),
        isClosing: () => isClosing,
      }
      const index: { routes: readonly Route[]; base: string }[] = []
      const authPrefix = options.auth === false ? '' : options.auth.prefix

      if (options.auth !== false) {
        const authDeps = {
          ...deps,
          keeper,
          sessionList,
          device,
          fields: options.fields,
          resetDonePath: bases.resetDonePath,
          keepEmailPath: bases.keepEmailPath,
          themeOf,
        }
        const routes = authRoutes(authDeps)
        mountRoutes(scope, routes, { ...mounting, prefix: authPrefix })
        index.push({ routes, base: bases.auth })
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
          themeOf,
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

const accounts: typeof plugin = fastifyPlugin(plugin, { name: 'fastify-accounts', fastify: '>=5.12.1 <6' })
export default accounts
