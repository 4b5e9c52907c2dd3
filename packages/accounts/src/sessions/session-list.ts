import { createHash } from 'node:crypto'
import type { Session, SessionStore } from '../seams/session-store.js'
import type { User } from '../user.js'
import type { Client } from './client.js'
import type { SessionCookie } from './session-cookie.js'
import { isLive, type SessionLimits } from './session-rules.js'
import { endSession, familyOf } from './succession.js'

/** A session as its owner sees it over HTTP. Times are RFC 3339 in UTC. */
export interface ListedSession {
  id: string
  created_at: string
  last_seen_at: string
  expires_at: string
  /** What its user calls the device: only of tokens, which an app may have asked for with a name. */
  name: string | null
  browser: string | null
  system: string | null
  ip: string | null
  /** Whether it is the client's own. */
  current: boolean
}

/** A user's sessions: lists them, and ends single ones. The app's own code has no client, so none of them is its own. */
export interface SessionList {
  /** Newest first. */
  list(client: Client | null, user: User): Promise<ListedSession[]>
  /** Ends one of the user's sessions. Clears the cookie too if it is the client's own. Returns whether it existed. */
  end(client: Client | null, user: User, id: string): Promise<boolean>
  /** Ends all but the client's own. */
  endOthers(client: Client, user: User): Promise<void>
}

/** For sessions in our session store; the host's own @fastify/session can't list them. */
export function createSessionList(deps: {
  sessions: Pick<SessionStore, 'find' | 'listByUser' | 'delete' | 'deleteByUser' | 'change'>
  cookie: SessionCookie
  /** The key in the store of the session that a client has; `null` without one. */
  broughtBy(client: Client): string | null
  /** The limits of a kind of session; `null` if this mount has none of it. */
  limitsOf(kind: Session['kind']): SessionLimits | null
}): SessionList {
  const { sessions, cookie, broughtBy, limitsOf } = deps
  const isListed = (row: Session, user: User): boolean => {
    const limits = limitsOf(row.kind)
    return row.retiredBy === null && limits !== null && isLive(row, user, limits)
  }

  /** The sessions that count, without retired ids and rows of ended ones; and all rows of the client's own session. */
  async function read(client: Client | null, user: User): Promise<{ live: Session[]; own: Session[] }> {
    const rows = await sessions.listByUser(user.id)
    const live = rows.filter((row) => isListed(row, user))
    return { live, own: familyOf(rows, (client && broughtBy(client)) ?? undefined) }
  }

  return {
    async list(client, user) {
      const { live, own } = await read(client, user)
      return live.map((session) => ({
        id: shownId(session),
        created_at: session.createdAt.toISOString(),
        last_seen_at: session.lastSeenAt.toISOString(),
        expires_at: session.expiresAt.toISOString(),
        name: session.name,
        browser: session.details?.browser ?? null,
        system: session.details?.system ?? null,
        ip: session.details?.ip ?? null,
        current: own.includes(session),
      }))
    },
    async end(client, user, id) {
      const { live, own } = await read(client, user)
      const session = live.find((each) => shownId(each) === id)
      if (session === undefined || (await endSession(sessions, session.id)) === null) return false
      if (client !== null && own.includes(session) && session.kind === 'cookie') cookie.clear(client)
      return true
    },
    async endOthers(client, user) {
      const brought = broughtBy(client) ?? undefined
      const rows = await sessions.listByUser(user.id)
      const own = familyOf(rows, brought)
      // `deleteByUser` can spare only one row.
      if (own.length < 2) await sessions.deleteByUser(user.id, brought)
      // If a confirmation has one go on in this moment, that is what has to end.
      else for (const row of rows) if (!own.includes(row)) await endSession(sessions, row.id)
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
