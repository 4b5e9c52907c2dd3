import fastifyCookie from '@fastify/cookie'
import fastifySession, {
  type FastifySessionObject,
  type SessionStore as SessionStoreOfFastify,
} from '@fastify/session'
import type { FastifyInstance } from 'fastify'
import type { ResolvedOptions } from '../options/resolve.js'
import type { SessionStore } from '../seams/session-store.js'
import { expiryOf, type Login } from './login.js'
import { type CookieCodec, createSessionCookie, hashSessionId, type SessionCookie } from './session-cookie.js'

declare module 'fastify' {
  interface Session {
    /** The login of fastify-accounts. */
    accounts?: Login
  }
}

/** Keeps a login as a new session of @fastify/session. */
export type SaveLogin = (login: Login) => Promise<{
  /** What the session is kept under. */
  id: string
  /** The session's id, signed. */
  cookieValue: string
}>

/**
 * Registers @fastify/session on our session store. It makes the ids, signs them and saves; no request runs through its
 * hooks, which would save a session for each anonymous visitor and bring ended ones back. The scope that it is
 * registered in has no routes, so a login can be finished in any request, on a route of the host too.
 */
export async function registerFastifySession(
  app: FastifyInstance,
  sessions: Pick<SessionStore, 'create'>,
  options: Pick<ResolvedOptions, 'secret' | 'secure' | 'session'>,
): Promise<{ cookie: SessionCookie; codec: CookieCodec; save: SaveLogin }> {
  const codec = await registerCookieCodec(app)
  const cookie = createSessionCookie(options, codec)
  let scope = app
  await app.register(async (inner) => {
    scope = inner
    await withCookies(inner)
    await inner.register(fastifySession, {
      secret: cookie.signer,
      cookieName: cookie.name,
      cookie: { ...cookie.attributes },
      store: storeOf(sessions, options.session),
    })
  })
  return { cookie, codec, save: (login) => save(scope, login) }
}

/** The functions of the host's @fastify/cookie, or else of ours. */
export async function registerCookieCodec(app: FastifyInstance): Promise<CookieCodec> {
  let scope = app
  await app.register(async (inner) => {
    scope = inner
    await withCookies(inner)
  })
  return {
    parse: (header) => scope.parseCookie(header),
    serialize: (name, value, attributes) => scope.serializeCookie(name, value, attributes),
  }
}

async function withCookies(scope: FastifyInstance): Promise<void> {
  if (!scope.hasPlugin('@fastify/cookie')) await scope.register(fastifyCookie)
}

async function save(scope: FastifyInstance, login: Login): Promise<{ id: string; cookieValue: string }> {
  const session = await newSession(scope)
  session.set('accounts', login)
  await session.save()
  return { id: hashSessionId(session.sessionId), cookieValue: session.encryptedSessionId }
}

/** What @fastify/session makes where a request brings no cookie. */
function newSession(scope: FastifyInstance): Promise<FastifySessionObject> {
  const request: { session?: FastifySessionObject } = {}
  return new Promise((resolve, reject) => {
    scope.decryptSession('', request, () => {
      if (request.session) resolve(request.session)
      else reject(new Error('@fastify/session made no session'))
    })
  })
}

/** Sessions are only made through @fastify/session: the reader and the keeper find and end them in the store. */
function storeOf(
  sessions: Pick<SessionStore, 'create'>,
  options: ResolvedOptions['session'],
): SessionStoreOfFastify {
  return {
    get: (_sessionId, callback) => callback(null, null),
    set(sessionId, { accounts: login }, callback) {
      if (login === undefined) return callback()
      const row = { ...login, id: hashSessionId(sessionId), expiresAt: expiryOf(login, options) }
      sessions.create(row).then(() => callback(), callback)
    },
    destroy: (_sessionId, callback) => callback(),
  }
}
