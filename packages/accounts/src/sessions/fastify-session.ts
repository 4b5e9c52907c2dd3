import fastifyCookie from '@fastify/cookie'
import fastifySession, { type FastifySessionObject } from '@fastify/session'
import type { FastifyInstance } from 'fastify'
import type { ResolvedOptions } from '../options/resolve.js'
import { namedScope } from './named-scope.js'
import { type CookieCodec, createSessionCookie, type SessionCookie } from './session-cookie.js'
import type { Login } from './session-rules.js'

declare module 'fastify' {
  interface Session {
    /** The login of fastify-accounts. */
    accounts?: Login
  }
}

/**
 * Registers @fastify/session for one thing: it makes the random ids of new sessions. The keeper saves their rows, in the
 * option `sessionStore`, and the reader finds them. Its scope has no routes, so no request runs through its hooks, which
 * would save a session for each anonymous visitor and bring ended ones back, and its own store stays empty. A login can be
 * completed in any request, including one to a host route.
 */
export async function registerFastifySession(
  app: FastifyInstance,
  options: Pick<ResolvedOptions, 'secret' | 'secure' | 'session'>,
): Promise<{ cookie: SessionCookie; codec: CookieCodec; makeBase(): Promise<string> }> {
  const codec = await registerCookieCodec(app)
  const cookie = createSessionCookie(options, codec)
  const { scope } = await registerScope(app, 'sessions', (inner) =>
    inner.register(fastifySession, { secret: cookie.signer }),
  )
  return { cookie, codec, makeBase: async () => (await newSession(scope)).sessionId }
}

/** The functions of the host's @fastify/cookie if there is one, otherwise of ours. */
export async function registerCookieCodec(app: FastifyInstance): Promise<CookieCodec> {
  const { scope } = await registerScope(app, 'cookies')
  return {
    parse: (header) => scope.parseCookie(header),
    serialize: (name, value, attributes) => scope.serializeCookie(name, value, attributes),
  }
}

/** A scope with @fastify/cookie, and with what `add` registers. */
async function registerScope(
  app: FastifyInstance,
  name: string,
  add?: (inner: FastifyInstance) => PromiseLike<unknown>,
): Promise<{ scope: FastifyInstance }> {
  let scope = app
  await app.register(
    namedScope(name, async (inner) => {
      scope = inner
      if (!inner.hasPlugin('@fastify/cookie')) await inner.register(fastifyCookie)
      await add?.(inner)
    }),
  )
  // An instance by itself would be awaited, until it has booted.
  return { scope }
}

/** What @fastify/session makes for a cookie without a valid signature: outside its hooks it makes none otherwise. */
function newSession(scope: FastifyInstance): Promise<FastifySessionObject> {
  const request: { session?: FastifySessionObject } = {}
  return new Promise((resolve, reject) => {
    scope.decryptSession('', request, () => {
      if (request.session) resolve(request.session)
      else reject(new Error('@fastify/session created no session'))
    })
  })
}
