import { createHash } from 'node:crypto'
import type { ResolvedOptions } from '../options/resolve.js'
import type { Session, SessionStore } from '../seams/session-store.js'
import type { User } from '../user.js'
import type { Client } from './client.js'
import type { SessionCookie } from './session-cookie.js'
import { isLive } from './session-rules.js'

/** A session as its owner sees it over HTTP. Times are RFC 3339 in UTC. */
export interface ListedSession {
  id: string
  created_at: string
  last_seen_at: string
  expires_at: string
  browser: string | null
  system: string | null
  ip: string | null
  /** Whether it is the client's own. */
  current: boolean
}

/** A user's own sessions: lists them, and ends single ones. */
export interface SessionList {
  /** Newest first. */
  list(client: Client, user: User): Promise<ListedSession[]>
  /** Ends one of the user's sessions. Clears the cookie too if it is the client's own. Returns whether it existed. */
  end(client: Client, user: User, id: string): Promise<boolean>
  /** Ends all but the client's own. */
  endOthers(client: Client, user: User): Promise<void>
}

/** For sessions in our session store; the host's own @fastify/session can't list them. */
export function createSessionList(deps: {
  sessions: Pick<SessionStore, 'listByUser' | 'delete' | 'deleteByUser'>
  cookie: SessionCookie
  options: ResolvedOptions['session']
}): SessionList {
  const { sessions, cookie, options } = deps

  /** Rows of ended sessions may still be there. */
  async function liveOf(user: User): Promise<Session[]> {
    return (await sessions.listByUser(user.id)).filter((session) => isLive(session, user, options))
  }

  function ownId(client: Client): string | undefined {
    return cookie.read(client)?.id
  }

  return {
    async list(client, user) {
      const own = ownId(client)
      return (await liveOf(user)).map((session) => ({
        id: shownId(session),
        created_at: session.createdAt.toISOString(),
        last_seen_at: session.lastSeenAt.toISOString(),
        expires_at: session.expiresAt.toISOString(),
        browser: session.details?.browser ?? null,
        system: session.details?.system ?? null,
        ip: session.details?.ip ?? null,
        current: session.id === own,
      }))
    },
    async end(client, user, id) {
      const session = (await liveOf(user)).find((each) => shownId(each) === id)
      if (session === undefined || !(await sessions.delete(session.id))) return false
      if (session.id === ownId(client)) cookie.clear(client)
      return true
    },
    async endOthers(client, user) {
      await sessions.deleteByUser(user.id, ownId(client))
    },
  }
}

/**
 * A session's public id: 128 bits derived from its row's key. It is looked up among the user's own sessions,
 * so nobody can name another's, and a path in a proxy's log is no key of the store.
 */
function shownId({ id }: Pick<Session, 'id'>): string {
  return createHash('sha256').update(`session-list:${id}`).digest('base64url').slice(0, 22)
}
