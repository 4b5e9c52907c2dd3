import type { FastifyInstance } from 'fastify'
import { createDeadline } from '../adapters/deadline.js'
import { fail } from '../options/checks.js'
import type { ResolvedOptions } from '../options/resolve.js'
import { UnavailableError } from '../seams/store-errors.js'
import type { TokenSigner } from '../seams/token-signer.js'
import type { PublicBases } from './public-bases.js'

/**
 * Stops the start where a token of the signer would not fit into a path.
 * @throws Error with one line that names the option
 */
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
  if (!/^[\w.~-]+$/.test(token))
    throw new Error('fastify-accounts: the option tokenSigner makes tokens that are not URL-safe')
  if (token.length > maxParamLength) {
    throw new Error(
      `fastify-accounts: the option tokenSigner makes tokens of ${token.length} characters; raise Fastify's routerOptions.maxParamLength above ${maxParamLength}`,
    )
  }
}

/**
 * Stops the start where a decorator's name is taken by something else.
 * @throws Error with one line that names the option
 */
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

/** Whether the host has registered @fastify/session before us: then logins live there. */
export function hasHostSession(app: FastifyInstance): boolean {
  return app.hasRequestDecorator('session') && app.hasDecorator('decryptSession')
}

/**
 * Stops the start where a session store is given that would have no effect.
 * @throws Error with one line that names the option
 */
export function checkSessionStore(
  app: FastifyInstance,
  { sessionStore }: Pick<ResolvedOptions, 'sessionStore'>,
): void {
  if (sessionStore !== undefined && hasHostSession(app)) {
    throw new Error(
      'fastify-accounts: the option sessionStore has no effect, because an @fastify/session of the app keeps the sessions; omit the option, or register @fastify/session in its own scope',
    )
  }
}

/**
 * Stops the start where the host has registered @fastify/session after us: two of them would write one cookie.
 * @param ownSessions whether we keep the sessions
 * @throws Error with one line
 */
export function checkLateSession(app: FastifyInstance, ownSessions: boolean): void {
  if (ownSessions && app.hasRequestDecorator('session')) {
    throw new Error(
      'fastify-accounts: register @fastify/session before fastify-accounts, or in its own scope',
    )
  }
}

/** Which user store each cookie, and each place of mailed links, of an app belongs to; one app is one server. */
const realms = new WeakMap<object, Map<string, unknown>>()

/**
 * Stops the start where a second mount has other users, but the same cookie: each login would end the other's. And
 * where it stands at the same place: tokens in links are bound to the place, so that a link of the one would be one of
 * the other, whatever paths they have below it.
 * @throws Error with one line that names the option
 */
export function checkRealm(app: FastifyInstance, options: ResolvedOptions, bases: PublicBases): void {
  const { cookieName } = options.session
  const known = realms.get(app.server) ?? new Map<string, unknown>()
  realms.set(app.server, known)
  // A @fastify/session of the host has one place for a login.
  const place = hasHostSession(app) ? '@fastify/session' : cookieName
  // A store in memory is each mount's own.
  const users = options.userStore ?? options
  if (known.has(place) && known.get(place) !== users) {
    fail(
      'session.cookieName',
      hasHostSession(app)
        ? 'has no effect with an @fastify/session of the app: two mounts with different users would share one login; register each in a scope with its own @fastify/session, or with none'
        : `is ${cookieName} in two mounts with different users; give each its own name, or both the same userStore`,
    )
  }
  known.set(place, users)
  for (const base of [options.auth && `auth ${bases.auth}`, options.users && `users ${bases.users}`]) {
    if (!base) continue
    if (known.has(base) && known.get(base) !== users) {
      fail('prefix', 'must differ between two mounts with different users: emailed links are bound to it')
    }
    known.set(base, users)
  }
}

/**
 * Stops the start in production where a default in memory, or on the console, would do for real what it is not made
 * for. Whoever wants it passes it: `userStore: createMemoryUserStore()`.
 * @throws Error with one line that names the option
 */
export function checkProduction(options: ResolvedOptions, ownSessions: boolean): void {
  if (process.env.NODE_ENV !== 'production') return
  const lost = 'is not set: in production, the default would lose everything on restart'
  if (options.userStore === undefined) fail('userStore', lost)
  if (ownSessions && options.sessionStore === undefined) fail('sessionStore', lost)
  if (options.mailer === undefined)
    fail(
      'mailer',
      'is not set: in production, the default would print emails with their links to the console',
    )
}

/**
 * Where the well-known URL for changing passwords leads; `undefined`: to our own page. It is one for a whole origin
 * (RFC 8615), so that it is there only where the plugin stands at its root.
 * @throws Error with one line that names the option
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

/** Whether the plugin stands at the root of its site, where /.well-known/ is. */
export function isAtRoot(app: FastifyInstance, { baseUrl }: Pick<ResolvedOptions, 'baseUrl'>): boolean {
  return app.prefix === '' && new URL(baseUrl).pathname === '/'
}

/** How long the start waits for an outbox, in milliseconds; below Fastify's pluginTimeout of ten seconds. */
const outboxTimeout = 3_000

/**
 * Stops the start where the user store says that its outbox cannot work, as where its table is not there. One that
 * does not answer stops nothing: it may be back in a moment.
 * @throws Error of the store's
 */
export async function checkOutbox(
  app: FastifyInstance,
  { userStore }: Pick<ResolvedOptions, 'userStore'>,
): Promise<void> {
  const outbox = userStore?.outbox
  if (outbox === undefined) return
  const inTime = createDeadline(outboxTimeout)
  try {
    await inTime(outbox.count(), () => new UnavailableError(`no answer in ${outboxTimeout} ms`))
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error
    app.log.warn({ err: error }, 'accounts: the outbox does not answer')
  }
}
