import type { FastifyInstance } from 'fastify'
import { fail } from './option-checks.js'
import type { ResolvedOptions } from './options.js'
import type { TokenSigner } from './seams/token-signer.js'

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
  if (app.hasRequestDecorator('session') && !app.hasDecorator('decryptSession')) {
    throw new Error(
      'fastify-accounts: request.session is taken by a plugin that is not @fastify/session; register one of the two in a scope of its own',
    )
  }
  if (app.hasDecorator(decorateAs.instance)) {
    throw new Error(
      `fastify-accounts: app.${decorateAs.instance} is taken already; set the option decorateAs.instance to another name`,
    )
  }
  if (app.hasRequestDecorator(decorateAs.request)) {
    throw new Error(
      `fastify-accounts: request.${decorateAs.request} is taken already; set the option decorateAs.request to another name`,
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
      'fastify-accounts: register @fastify/session before fastify-accounts, or in a scope of its own',
    )
  }
}

/**
 * Stops the start in production where a default in memory, or on the console, would do for real what it is not made
 * for. Whoever wants it passes it: `userStore: createMemoryUserStore()`.
 * @throws Error with one line that names the option
 */
export function checkProduction({ given }: ResolvedOptions, ownSessions: boolean): void {
  if (process.env.NODE_ENV !== 'production') return
  const lost = 'is not set: in production the default would forget everything at a restart'
  if (given.userStore === undefined) fail('userStore', lost)
  if (ownSessions && given.sessionStore === undefined) fail('sessionStore', lost)
  if (given.mailer === undefined)
    fail(
      'mailer',
      'is not set: in production the default would print mails, with their links, on the console',
    )
}
