import type { FastifyBaseLogger } from 'fastify'
import { logTrouble } from '../adapters/log-trouble.js'
import type { SessionStore } from '../seams/session-store.js'

/** Deletes the rows of a user's sessions, except one. Never throws: they have ended already. */
export type RemoveSessions = (userId: string, exceptId?: string) => Promise<void>

export function createRemoveSessions(
  sessions: Pick<SessionStore, 'deleteByUser'>,
  log: FastifyBaseLogger,
): RemoveSessions {
  return async (userId, exceptId) => {
    await sessions.deleteByUser(userId, exceptId).catch((error) => {
      logTrouble(
        log,
        error,
        'accounts: ended sessions could not be deleted; their rows stay until they expire',
      )
    })
  }
}
