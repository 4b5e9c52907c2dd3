import type { FastifyRequest, Session as FastifySession } from 'fastify'
import { guard } from '../adapters/guard.js'
import type { ResolvedOptions } from '../options/resolve.js'
import { hashSessionId } from './session-cookie.js'

/**
 * Notes in the host's own session store which sessions a logout has ended. @fastify/session saves a whole session
 * after the answer, so a request that was under way brings it back; what is noted here is over all the same.
 */
export interface EndedSessions {
  /** @throws AccountsError ACCOUNTS_UNAVAILABLE */
  add(request: FastifyRequest, sessionId: string): Promise<void>
  /** @throws AccountsError ACCOUNTS_UNAVAILABLE */
  has(request: FastifyRequest, sessionId: string): Promise<boolean>
}

/** A request that was under way may have moved "last seen" this much after the logout, in milliseconds. */
const slack = 10 * 60_000

export function createEndedSessions({
  session,
  adapterTimeout,
}: Pick<ResolvedOptions, 'session' | 'adapterTimeout'>): EndedSessions {
  // No cookie can name it: the host signs none but those of its own ids.
  const keyOf = (sessionId: string): string => `accounts-ended-${hashSessionId(sessionId)}`
  // The request is no argument of the calls: what an adapter was given is looked through where it fails.
  const storeOf = ({ sessionStore }: FastifyRequest) =>
    guard(
      {
        set: (key: string, note: FastifySession) =>
          new Promise<void>((resolve, reject) => {
            sessionStore.set(key, note, (error) => (error ? reject(error) : resolve()))
          }),
        get: (key: string) =>
          new Promise<boolean>((resolve, reject) => {
            // Stores of files say so where there is none.
            const isMissing = (error: { code?: unknown }) => error.code === 'ENOENT'
            sessionStore.get(key, (error, note) => {
              if (error && !isMissing(error)) reject(error)
              else resolve(!error && Boolean(note))
            })
          }),
      },
      ['set', 'get'],
      adapterTimeout,
    )
  return {
    async add(request, sessionId) {
      // From then on the login is over by itself.
      const maxAge = session.idleTimeout + slack
      const cookie = { originalMaxAge: maxAge, maxAge, expires: new Date(Date.now() + maxAge) }
      await storeOf(request).set(keyOf(sessionId), { cookie })
    },
    has: (request, sessionId) => storeOf(request).get(keyOf(sessionId)),
  }
}
