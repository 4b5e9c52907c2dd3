import type { FastifyInstance } from 'fastify'
import { createDeadline } from '../adapters/deadline.js'
import { scopePath } from '../http/scope-path.js'
import { fail, lostOnRestart } from '../options/checks.js'
import type { ResolvedOptions } from '../options/resolve.js'
import { UnavailableError } from '../seams/store-errors.js'
import type { TokenSigner } from '../seams/token-signer.js'
import type { PublicBases } from './public-bases.js'

/*
 * Each check stops the start with one line, which names the option if there is one to change.
 */

/** The signer's tokens must fit into a path. */
export async function checkTokenLength(
  app: FastifyInstance,
  signer: TokenSigner,
  audience: string,
): Promise<void> {
  const { maxParamLength = 100 } = app.initialConfig.routerOptions ?? app.initialConfig
  const now = new Date()
  const token = await signer.sign({
    purpose: 'reset-password',
    audience,
    subject: '00000000-0000-7000-8000-000000000000',
    state: 'x'.repeat(22),
    issuedAt: now,
    expiresAt: now,
  })
  if (!/^[\w.~-]+$/.test(token)) fail('tokenSigner', 'makes tokens that are not URL-safe')
  if (token.length > maxParamLength)
    fail(
      'tokenSigner',
      `makes tokens of ${token.length} characters; raise Fastify's routerOptions.maxParamLength above ${maxParamLength}`,
    )
}

/** The names of the decorators must be free. */
export function checkDecorators(
  app: FastifyInstance,
  { decorateAs }: Pick<ResolvedOptions, 'decorateAs'>,
): void {
  if (app.hasRequestDecorator('session') && !hasHostSession(app)) {
    throw new Error(
      'fastify-accounts: request.session belongs to a plugin other than @fastify/session; register one of the two in its own scope',
    )
  }
  if (app.hasDecorator(decorateAs.instance)) {
    throw new Error(
      `fastify-accounts: app.${decorateAs.instance} already exists; set the option decorateAs.instance to another name`,
    )
  }
  if (app.hasRequestDecorator(decorateAs.request)) {
    throw new Error(
      `fastify-accounts: request.${decorateAs.request} already exists; set the option decorateAs.request to another name`,
    )
  }
}

/** Whether the host has registered @fastify/session before us; logins are stored there then. */
export function hasHostSession(app: FastifyInstance): boolean {
  return app.hasRequestDecorator('session') && app.hasDecorator('decryptSession')
}

/** A given session store must have an effect. */
export function checkSessionStore(
  app: FastifyInstance,
  { sessionStore }: Pick<ResolvedOptions, 'sessionStore'>,
): void {
  if (sessionStore !== undefined && hasHostSession(app))
    fail(
      'sessionStore',
      'has no effect, because an @fastify/session of the app keeps the sessions; omit the option, or register @fastify/session in its own scope',
    )
}

/**
 * The host must not register @fastify/session after us: both would write the same cookie.
 * @param ownSessions whether we keep the sessions
 */
export function checkLateSession(app: FastifyInstance, ownSessions: boolean): void {
  if (ownSessions && app.hasRequestDecorator('session')) {
    throw new Error(
      'fastify-accounts: register @fastify/session before fastify-accounts, or in its own scope',
    )
  }
}

/** The user store of each cookie, and of each base URL of emailed links, in an app; each app has one server. */
const realms = new WeakMap<object, Map<string, unknown>>()

/**
 * A second mount with other users must not have the same cookie, because each login would end the other's; nor the
 * same base URL, because tokens in links are bound to it, so links of one would be valid for the other, whatever paths
 * follow.
 */
export function checkRealm(app: FastifyInstance, options: ResolvedOptions, bases: PublicBases): void {
  const { cookieName } = options.session
  const usersByPlace = realms.get(app.server) ?? new Map<string, unknown>()
  realms.set(app.server, usersByPlace)
  // Each mount has its own in-memory store.
  const users = options.userStore ?? options
  const claim = (place: string, option: string, expectation: string): void => {
    if (usersByPlace.has(place) && usersByPlace.get(place) !== users) fail(option, expectation)
    usersByPlace.set(place, users)
  }
  // The host's @fastify/session has room for one login.
  const isHosts = hasHostSession(app)
  claim(
    isHosts ? '@fastify/session' : cookieName,
    'session.cookieName',
    isHosts
      ? 'has no effect with an @fastify/session of the app: two mounts with different users would share one login; register each in a scope with its own @fastify/session, or with none'
      : `is ${cookieName} in two mounts with different users; give each its own name, or both the same userStore`,
  )
  const perUsers = 'must differ between two mounts with different users: emailed links are bound to it'
  if (options.auth) claim(`auth ${bases.auth}`, 'prefix', perUsers)
  if (options.users) claim(`users ${bases.users}`, 'prefix', perUsers)
}

/**
 * In production no in-memory or console default may be used for real. To use one anyway, pass it:
 * `userStore: createMemoryUserStore()`.
 */
export function checkProduction(options: ResolvedOptions, ownSessions: boolean): void {
  if (process.env.NODE_ENV !== 'production') return
  if (options.userStore === undefined) fail('userStore', lostOnRestart)
  if (ownSessions && options.sessionStore === undefined) fail('sessionStore', lostOnRestart)
  if (options.mailer === undefined)
    fail(
      'mailer',
      'is not set: in production, the default would print emails with their links to the console',
    )
}

/**
 * The target of the well-known URL for changing passwords; `undefined`: our own page. The URL exists once per
 * origin (RFC 8615), so it is only mounted if the plugin is at its root.
 */
export function checkWellKnown(
  app: FastifyInstance,
  { changePasswordUrl, auth, baseUrl }: Pick<ResolvedOptions, 'changePasswordUrl' | 'auth' | 'baseUrl'>,
): false | string | undefined {
  const isHere = isAtRoot(app, { baseUrl })
  if (!isHere && typeof changePasswordUrl === 'string')
    fail(
      'changePasswordUrl',
      'has no effect below the root of the site: redirect from /.well-known/change-password there',
    )
  if (!isHere || (auth === false && changePasswordUrl === undefined)) return false
  return changePasswordUrl
}

/** Whether the plugin is mounted at the root of its site, where /.well-known/ is. */
export function isAtRoot(app: FastifyInstance, { baseUrl }: Pick<ResolvedOptions, 'baseUrl'>): boolean {
  return scopePath(app) === '' && new URL(baseUrl).pathname === '/'
}

/** How long the start waits for an outbox, in milliseconds; below Fastify's pluginTimeout of ten seconds. */
const outboxTimeout = 3_000

/**
 * Throws what the user store reports if its outbox can't work, for example without its table. One that doesn't respond
 * stops nothing: it may soon be back.
 */
export async function checkOutbox(
  app: FastifyInstance,
  { userStore }: Pick<ResolvedOptions, 'userStore'>,
): Promise<void> {
  const outbox = userStore?.outbox
  if (outbox === undefined) return
  const inTime = createDeadline(outboxTimeout)
  try {
    await inTime(outbox.count(), () => new UnavailableError(`no response in ${outboxTimeout} ms`))
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error
    app.log.warn({ err: error }, 'accounts: the outbox is unavailable')
  }
}
