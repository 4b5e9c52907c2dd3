import type { Session, SessionStore } from '../seams/session-store.js'
import type { User } from '../user.js'
import { attemptChange } from './attempt-change.js'
import type { Client } from './client.js'
import { expiryOf, isLive } from './session-rules.js'
import {
  rowIdOf,
  type SessionClaims,
  type SessionTokens,
  sessionFor,
  type TokenLimits,
} from './session-tokens.js'
import { endSession } from './succession.js'
import { isHeldBy } from './token-reader.js'

/** How a refresh ended: with new tokens, or without, because the session is over or ends now. */
export type Refreshed =
  | { outcome: 'refreshed'; user: User }
  | { outcome: 'reused'; user: User; untold: { cause: unknown } | null }
  | { outcome: 'over'; user: User | null }

/** What a refresh does once it knows what the token is. */
export interface RefreshSteps {
  /**
   * Counts a refresh of the session with this key, or throws. It is only asked for what advances: a limit before the look
   * would let the thief, who has the newest token, keep the owner's from being recognized.
   */
  spend(sessionId: string): Promise<void>
  /**
   * Called before a reused session ends, so a process that dies in between leaves no owner untold; a retry calls it again.
   * If it fails, the session ends all the same: a thief must not stay in while the outbox is down.
   */
  tellOwner(user: User, session: Pick<Session, 'name'>): Promise<void>
}

/** Continues and ends sessions by their refresh tokens. */
export interface Refreshes {
  /**
   * Delivers new tokens. Of any number of requests at once with the same refresh token one advances the generation, and
   * all get the same successor: it is derived from the session's id and generation, and stored nowhere.
   * `reused`: somebody else has gone on with a later token already, so a copy of one was stolen (RFC 9700 section 4.14.2).
   * The session has ended; `untold` says why its owner couldn't be told.
   */
  refresh(client: Client, text: string, along: RefreshSteps): Promise<Refreshed>
  /** Ends the session of a refresh or access token. @returns whose it was; `null` if none was ended */
  revoke(text: string): Promise<{ id: string } | null>
}

/** How long a refresh token may be sent again once its successor was used, in milliseconds: for tabs that are late. */
const retryWindow = 30_000

export function createRefreshes(deps: {
  findVisit(id: string): Promise<{ session: Session; user: User | null } | null>
  sessions: Pick<SessionStore, 'find' | 'delete'> & Required<Pick<SessionStore, 'change'>>
  tokens: SessionTokens
  limits: TokenLimits
}): Refreshes {
  const { findVisit, sessions, tokens, limits } = deps

  return {
    async refresh(client, text, { spend, tellOwner }) {
      const claims = tokens.readRefresh(text)
      if (claims === null) return { outcome: 'over', user: null }
      let isSpent = false
      return attemptChange<Refreshed>(async () => {
        const visit = await findVisit(rowIdOf(claims))
        if (visit === null || visit.user === null || !isHeldBy(visit.session, claims))
          return { outcome: 'over', user: null }
        const { session, user } = visit
        if (!isLive(session, user, limits)) return { outcome: 'over', user }
        const use = useOf(session, claims)
        if (use === 'reused') {
          const untold = await tellOwner(user, session).then(
            () => null,
            (cause: unknown) => ({ cause }),
          )
          await endSession(sessions, session.id)
          return { outcome: 'reused', user, untold }
        }
        if (use === 'next' && !isSpent) {
          await spend(session.id)
          isSpent = true
        }
        const changes = {
          ...unconfirmed(session, claims),
          ...(use === 'next' && advanced(session, claims, limits)),
        }
        if (
          Object.keys(changes).length > 0 &&
          !(await sessions.change(session.id, session.generation, changes))
        )
          return undefined
        client.deliver(tokens.issue(claims.sessionId, { ...session, ...changes }))
        return { outcome: 'refreshed', user }
      })
    },

    async revoke(text) {
      const claims = tokens.readRefresh(text) ?? tokens.readAccess(text)
      const session = claims && (await sessions.find(rowIdOf(claims)))
      if (claims === null || session === null || !isHeldBy(session, claims)) return null
      const ended = await endSession(sessions, session.id)
      return ended && { id: ended.userId }
    },
  }
}

/**
 * Whether a refresh token begins the next generation, gets the present one, or comes from a copy. One of an earlier
 * generation is only late if nobody has been seen with a later one, so a response may have been lost; or if it was replaced
 * just now, once by a refresh and perhaps once more by a confirmation, so other requests of the same client are under way.
 */
export function useOf(session: Session, claims: SessionClaims): 'next' | 'repeated' | 'reused' {
  const behind = session.generation - claims.generation
  if (behind <= 0) return 'next'
  const isRecent = Date.now() - session.lastSeenAt.getTime() <= retryWindow
  if (session.seenGeneration <= claims.generation) return isRecent ? 'repeated' : 'next'
  return isRecent && behind <= 2 ? 'repeated' : 'reused'
}

/**
 * The next generation. A token of a later one than the store's was made before its backup was restored. One that is sent
 * again long after also begins another: whoever got the successor before, and has waited to use it, is then found out.
 */
function advanced(session: Session, { generation }: SessionClaims, limits: TokenLimits): Partial<Session> {
  // When the generation began. Nothing else moves it, so a retry can tell how old its successor is.
  const lastSeenAt = new Date()
  return {
    generation: Math.max(session.generation, generation) + 1,
    seenGeneration: generation,
    lastSeenAt,
    expiresAt: expiryOf({ createdAt: session.createdAt, lastSeenAt }, limits),
  }
}

/** A retry gets nothing of a confirmation since its own token: whether the owner or a thief sends an old one can't be told. */
function unconfirmed(session: Session, claims: SessionClaims): Partial<Session> {
  if (claims.generation >= session.confirmedGeneration) return {}
  const { confirmedAt, methods } = sessionFor(session, claims)
  return session.confirmedAt === null && methods === session.methods ? {} : { confirmedAt, methods }
}
