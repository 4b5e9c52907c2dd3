import { logTrouble } from '../adapters/log-trouble.js'
import type { SessionParts } from './session-parts.js'

/** How many sessions a user may have: a number that a person can review. */
const maxSessions = 100

/** How many of them a login deletes at a time, which leaves the store room for other requests. */
const portion = 5

export function createSessionCap({ sessions, log }: Pick<SessionParts, 'sessions' | 'log'>) {
  /** The users whose surplus sessions are being ended. */
  const ending = new Set<string>()

  const warn = (error: unknown): void => {
    logTrouble(
      log,
      error,
      'accounts: the least recently used sessions of a user could not be ended; the next login tries again',
    )
  }

  async function endAll(ids: readonly string[]): Promise<void> {
    for (let from = 0; from < ids.length; from += portion) {
      await Promise.all(ids.slice(from, from + portion).map((id) => sessions.delete(id)))
    }
  }

  /**
   * Ends the sessions of a user who has too many, the least recently seen first. Never throws.
   * @param count how many there are. Default: the store doesn't tell
   */
  return async (userId: string, count = maxSessions + 1): Promise<void> => {
    if (count <= maxSessions || ending.has(userId)) return
    ending.add(userId)
    let rest: string[] = []
    try {
      const rows = await sessions.listByUser(userId)
      const bySight = rows.sort((a, b) => b.lastSeenAt.getTime() - a.lastSeenAt.getTime())
      const surplus = bySight.slice(maxSessions).map(({ id }) => id)
      await endAll(surplus.slice(0, portion))
      rest = surplus.slice(portion)
    } catch (error) {
      warn(error)
    }
    // After an import there may be thousands, so this login doesn't wait for them.
    void endAll(rest)
      .catch(warn)
      .finally(() => ending.delete(userId))
  }
}
