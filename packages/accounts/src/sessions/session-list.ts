import { createHash } from 'node:crypto'
import type { Session } from '../seams/session-store.js'
import type { User } from '../user.js'
import { rowIdOf } from './claim.js'
import type { Client } from './client.js'
import { broughtClaim, limitsOf, type SessionParts } from './session-parts.js'
import { isLive } from './session-rules.js'

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

/** The same with all else that is kept for its owner to know, for an export. */
export interface ExportedSession extends ListedSession {
  kind: Session['kind']
  /** How they logged in, in order. */
  methods: string[]
  confirmed_at: string | null
  /** Whether the cookie outlives the browser. */
  remember: boolean
}

/** A user's sessions: lists them, and ends single ones. The app's own code has no client, so none of them is its own. */
export interface SessionList {
  /** Newest first. */
  list(client: Client | null, user: User): Promise<ListedSession[]>
  /** Newest first. */
  export(client: Client | null, user: User): Promise<ExportedSession[]>
  /** Ends one of the user's sessions. Clears the cookie too if it is the client's own. Returns whether it existed. */
  end(client: Client | null, user: User, id: string): Promise<boolean>
  /** Ends all but the client's own. Returns how many. */
  endOthers(client: Client, user: User): Promise<number>
}

/** For sessions in our session store; the host's own @fastify/session can't list them. */
export function createSessionList(parts: SessionParts): SessionList {
  const { sessions, cookie, tokens } = parts

  /** Also those of a kind that only another mount delivers: only their rows know its limits. */
  async function liveOf(user: User): Promise<Session[]> {
    const isOurs = (kind: Session['kind']) => kind === 'cookie' || tokens !== null
    const rows = await sessions.listByUser(user.id)
    return rows.filter((row) =>
      isOurs(row.kind)
        ? isLive(row, user, limitsOf(parts, row.kind))
        : user.isActive && user.sessionEpoch === row.epoch,
    )
  }

  /** The row of the client's own session, whose claim the reader has accepted. */
  function ownId(client: Client | null): string | undefined {
    const claim = client && broughtClaim(parts, client)
    return claim ? rowIdOf(claim) : undefined
  }

  /**
   * The client's own session has the time of this request, and an end that doesn't move: the times of its row would tell a
   * thief with a copy when its owner is there, so they could stay in step.
   */
  function timesOf({ id, createdAt, lastSeenAt, expiresAt, kind }: Session, own: string | undefined) {
    if (id !== own) return { lastSeenAt, expiresAt }
    return {
      lastSeenAt: new Date(),
      expiresAt: new Date(createdAt.getTime() + limitsOf(parts, kind).absoluteTimeout),
    }
  }

  function listed(session: Session, own: string | undefined): ListedSession {
    const { lastSeenAt, expiresAt } = timesOf(session, own)
    return {
      id: shownId(session),
      created_at: session.createdAt.toISOString(),
      last_seen_at: lastSeenAt.toISOString(),
      expires_at: expiresAt.toISOString(),
      name: session.name,
      browser: session.details?.browser ?? null,
      system: session.details?.system ?? null,
      ip: session.details?.ip ?? null,
      current: session.id === own,
    }
  }

  return {
    async list(client, user) {
      const own = ownId(client)
      return (await liveOf(user)).map((session) => listed(session, own))
    },
    async export(client, user) {
      const own = ownId(client)
      return (await liveOf(user)).map((session) => ({
        ...listed(session, own),
        kind: session.kind,
        methods: [...session.methods],
        confirmed_at: session.confirmedAt?.toISOString() ?? null,
        remember: session.details?.isPersistent ?? false,
      }))
    },
    async end(client, user, id) {
      const session = (await liveOf(user)).find((each) => shownId(each) === id)
      if (session === undefined || !(await sessions.delete(session.id))) return false
      if (client !== null && session.id === ownId(client) && session.kind === 'cookie') cookie.clear(client)
      return true
    },
    endOthers: (client, user) => sessions.deleteByUser(user.id, ownId(client)),
  }
}

/**
 * A session's public id: 128 bits derived from its row's key. It is looked up among the user's own sessions,
 * so nobody can name another's, and a path in a proxy's log is no key of the store.
 */
function shownId({ id }: Pick<Session, 'id'>): string {
  return createHash('sha256').update(`session-list:${id}`).digest('base64url').slice(0, 22)
}
