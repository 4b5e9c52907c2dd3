import type { FastifyRequest, Session as FastifySession } from 'fastify'
import { guard } from '../adapters/guard.js'
import type { ResolvedOptions } from '../options/resolve.js'
import { hashSessionId } from './session-cookie.js'

/**
 * Records in the host's session store which sessions a logout has ended. @fastify/session saves a whole
 * session after the response, so a request in progress can bring it back; a session recorded here is over
 * anyway.
 */
export interface EndedSessions {
  /** @throws AccountsError ACCOUNTS_UNAVAILABLE */
  add(request: FastifyRequest, sessionId: string): Promise<void>
  /** @throws AccountsError ACCOUNTS_UNAVAILABLE */
  has(request: FastifyRequest, sessionId: string): Promise<boolean>
}

/** How far a request in progress may have moved "last seen" past the logout, in milliseconds. */
const slack = 10 * 60_000

export function createEndedSessions({
  session,
  adapterTimeout,
}: Pick<ResolvedOptions, 'session' | 'adapterTimeout'>): EndedSessions {
  // No cookie can name it, because the host signs only its own ids.
  const keyOf = (sessionId: string): string => `accounts-ended-${hashSessionId(sessionId)}`
  // The request isn't an argument, because a failed call's arguments are searched for values.
  const storeOf = ({ sessionStore }: FastifyRequest) =>
    guard(
      {
        set: (key: string, note: FastifySession) =>
          new Promise<void>((resolve, reject) => {
            sessionStore.set(key, note, (error) => (error ? reject(error) : resolve()))
          }),
        get: (key: string) =>
          new Promise<boolean>((resolve, reject) => {
            // File stores fail like this for a missing entry.
            const isMissing = (error: { code?: unknown }) => error.code === 'ENOENT'
            sessionStore.get(key, (error, note) => {
              if (error && !isMissing(error)) reject(error)
              else resolve(!error && Boolean(note))
            })
          }),
      },
      { set: 'writes', get: 'reads' },
      adapterTimeout,
    )
  return {
    async add(request, sessionId) {
      // After that the login has expired by itself.
      const maxAge = session.idleTimeout + slack
      const cookie = { originalMaxAge: maxAge, maxAge, expires: new Date(Date.now() + maxAge) }
      await storeOf(request).set(keyOf(sessionId), { cookie })
    },
    has: (request, sessionId) => storeOf(request).get(keyOf(sessionId)),
  }
}
