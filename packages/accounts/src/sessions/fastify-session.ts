import fastifySession from '@fastify/session'
import type { FastifyInstance, Session as FastifySession } from 'fastify'
import type { ResolvedOptions } from '../options/options.js'
import type { SessionStore } from '../seams/session-store.js'
import { expiryOf, type Login } from './login.js'
import { hashSessionId, type SessionCookie } from './session-cookie.js'

declare module 'fastify' {
  interface Session {
    /** The login of fastify-accounts. `stored` is set where it came out of our session store. */
    accounts?: Login & { stored?: true }
  }
}

/**
 * Registers @fastify/session in the scope of the routes that make, renew and end sessions, on our session store,
 * and by our rules: nothing is saved for anonymous visitors, and nothing but a login makes a row.
 */
export async function registerFastifySession(
  scope: FastifyInstance,
  deps: {
    sessions: Pick<SessionStore, 'create' | 'find' | 'delete'>
    cookie: SessionCookie
    options: ResolvedOptions['session']
  },
): Promise<void> {
  const { sessions, cookie, options } = deps
  const parsedHere = new WeakSet<object>()
  scope.addHook('preHandler', async (request) => {
    if (!parsedHere.has(request.cookies)) return
    // Nor would it write the cookie that @fastify/session sets.
    throw new Error(
      'fastify-accounts: @fastify/cookie is registered with hook: false; register it with a hook',
    )
  })
  scope.addHook('onRequest', async (request) => {
    // @fastify/session compares the raw target with the cookie's path, and a target may be a whole URL (RFC 9112, 3.2.2).
    const { url = '/' } = request.raw
    if (!url.startsWith('/') && URL.canParse(url)) request.raw.url = new URL(url).pathname
    if (!request.cookies) {
      // The host's @fastify/cookie parses at a later hook.
      request.cookies = request.headers.cookie === undefined ? {} : scope.parseCookie(request.headers.cookie)
      parsedHere.add(request.cookies)
    }
    // @fastify/session would clear a cookie whose signature is of an older secret; the reader signs it anew.
    const renewed = cookie.read(request)?.renewed
    if (renewed) request.cookies[cookie.name] = renewed
  })
  await scope.register(fastifySession, {
    secret: cookie.signer,
    cookieName: cookie.name,
    cookie: { ...cookie.attributes },
    rolling: false,
    saveUninitialized: false,
    store: {
      get(sessionId, callback) {
        sessions.find(hashSessionId(sessionId)).then((session) => {
          if (session === null) return callback(null, null)
          const { userId, epoch, createdAt, lastSeenAt, details } = session
          const accounts = { userId, epoch, createdAt, lastSeenAt, details, stored: true as const }
          callback(null, { cookie: { originalMaxAge: null }, accounts })
        }, callback)
      },
      set(sessionId, session: FastifySession, callback) {
        const login = session.accounts
        if (login === undefined || login.stored) return callback()
        const row = { ...login, id: hashSessionId(sessionId), expiresAt: expiryOf(login, options) }
        sessions.create(row).then(() => callback(), callback)
      },
      destroy(sessionId, callback) {
        sessions.delete(hashSessionId(sessionId)).then(() => callback(), callback)
      },
    },
  })
}
