import { logTrouble } from '../adapters/log-trouble.js'
import type { ResolvedOptions } from '../options/resolve.js'
import type { Session, SessionStore } from '../seams/session-store.js'
import type { User } from '../user.js'
import type { Client } from './client.js'
import type { SessionCookie } from './session-cookie.js'
import { expiryOf, isDueForTouch, isLive, type Login } from './session-rules.js'
import { headOf, isSeen, keepToOverlap, noteFirstSight } from './succession.js'

/** A logged-in user and their login. */
export interface Visit {
  user: User
  login: Login
}

/** A visit, and by which session. */
export interface FoundVisit extends Visit {
  /** Different from that of every other session. */
  credential: string
}

/**
 * Tells who is logged in: cookie → signature → session row → user. Called only on demand. It writes nothing
 * but an occasional "last seen", so a request in progress can't bring an ended session back.
 */
export type SessionReader = (client: Client) => Promise<FoundVisit | null>

export function createSessionReader(deps: {
  findVisit(id: string): Promise<{ session: Session; user: User | null } | null>
  sessions: Pick<SessionStore, 'find' | 'touch' | 'delete' | 'listByUser'>
  cookie: SessionCookie
  options: ResolvedOptions['session']
}): SessionReader {
  const { findVisit, sessions, cookie, options } = deps

  /**
   * Records that it is used, if that is due. The user is known; failing to record it isn't worth an outage.
   * @param head what it goes on as
   */
  async function record(client: Client, session: Session, head: Session): Promise<void> {
    try {
      if (session.retiredBy !== null) await keepToOverlap(sessions, session, head)
      else if (!isSeen(session)) await noteFirstSight(sessions, session, options)
      else if (isDueForTouch(session, options)) {
        const lastSeenAt = new Date()
        const expiresAt = expiryOf({ ...session, lastSeenAt }, options)
        await sessions.touch(session.id, { lastSeenAt, expiresAt })
      }
    } catch (error) {
      logTrouble(client.log, error, 'accounts: the last use of a session could not be recorded')
    }
  }

  return async (client) => {
    const brought = cookie.read(client)
    if (brought === null) return null
    const visit = await findVisit(brought.id)
    if (visit === null || visit.session.kind !== 'cookie') return null
    const { session, user } = visit
    const credential = session.id
    // A new epoch ends a session with its row, or is about to. The change that moved the epoch may be continuing this
    // session: deleting its row here would look like a logout.
    if (user !== null && user.sessionEpoch !== session.epoch) return null
    if (user === null || !isLive(session, user, options)) {
      // It can never become valid again, so leaving it until it expires does no harm.
      await sessions
        .delete(session.id)
        .catch((error) =>
          logTrouble(client.log, error, 'accounts: a session that is no longer valid could not be deleted'),
        )
      return null
    }
    if (session.retiredBy !== null) {
      // Good for reading only: its use renews nothing and sets no cookie.
      const head = await headOf(sessions, session)
      if (head === null) return null
      await record(client, session, head)
      return { user, login: session, credential }
    }
    await record(client, session, session)
    if (brought.renewed !== null) cookie.write(client, brought.renewed, session)
    return { user, login: session, credential }
  }
}
