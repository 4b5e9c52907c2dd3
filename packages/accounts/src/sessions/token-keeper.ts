import type { FastifyBaseLogger } from 'fastify'
import pRetry from 'p-retry'
import { logTrouble } from '../adapters/log-trouble.js'
import type { Session, SessionStore } from '../seams/session-store.js'
import type { User } from '../user.js'
import { attemptChange } from './attempt-change.js'
import type { Client } from './client.js'
import type { DeviceCookie } from './device-cookie.js'
import type { KeptSession, MadeSession, MakeSession } from './fastify-session.js'
import type { RemoveSessions } from './remove-sessions.js'
import { createSessionCap } from './session-cap.js'
import { type Continued, createContinue, type NextSession } from './session-change.js'
import type { SessionKeeper } from './session-keeper.js'
import { confirmedNow, expiryOf, newLogin, type Proven } from './session-rules.js'
import {
  rowIdOf,
  type SessionTokens,
  sessionFor,
  type TokenClaims,
  type TokenLimits,
} from './session-tokens.js'
import { endSession, nextGeneration } from './succession.js'
import { isHeldBy } from './token-reader.js'

/**
 * The keeper for sessions that are delivered as tokens. Such a session keeps its row and id: where one of a cookie goes
 * on under a new id, this one goes on in a new generation, and its client gets new tokens.
 */
export function createTokenKeeper(deps: {
  sessions: Pick<SessionStore, 'create' | 'find' | 'delete' | 'listByUser'> &
    Required<Pick<SessionStore, 'change'>>
  make: MakeSession
  tokens: SessionTokens
  limits: TokenLimits
  device: DeviceCookie
  removeAll: RemoveSessions
  log: FastifyBaseLogger
}): SessionKeeper {
  const { sessions, make, tokens, limits, device, removeAll, log } = deps
  const cap = createSessionCap({ sessions, log })

  function deliver(client: Client, sessionId: string, session: Session): void {
    client.deliver(tokens.issue(sessionId, session))
  }

  async function makeFor(
    client: Client,
    user: Pick<User, 'id' | 'sessionEpoch'>,
    how: Proven,
  ): Promise<MadeSession> {
    const made = await make(newLogin(user, how, { ...client.details, isPersistent: true }))
    const { session } = made
    const own = { kind: 'token', name: client.sessionName, expiresAt: expiryOf(session, limits) } as const
    return { ...made, session: { ...session, ...own, ...nextGeneration } }
  }

  function drop({ session }: MadeSession): void {
    // Nobody has its tokens, so deleting its row isn't worth waiting for a store that hangs.
    sessions.delete(session.id).catch(() => {})
  }

  /** Ends the session that the client has had before, even if its access token has expired. */
  async function endBrought({ bearer }: Client): Promise<Session | null> {
    const claims = bearer?.kind === 'access' ? tokens.readAccess(bearer.text) : null
    if (claims === null) return null
    const id = rowIdOf(claims)
    const session = await sessions.find(id)
    if (session === null || !isHeldBy(session, claims)) return null
    return endSession(sessions, id)
  }

  /** The session that the client's tokens name; `null` if it has ended. */
  async function brought(client: Client): Promise<{ claims: TokenClaims; session: Session } | null> {
    const claims = tokens.claimsOf(client)
    if (claims === null) return null
    const session = await sessions.find(rowIdOf(claims))
    return session !== null && isHeldBy(session, claims) ? { claims, session } : null
  }

  /**
   * How a session changes once its owner has proved again who they are. It begins with what the client's token has of the
   * session now: since the request was admitted, an older token sent again may have ended the confirmation.
   */
  function advance(
    session: Session,
    claims: TokenClaims,
    { user, methods }: Pick<Continued, 'user' | 'methods'>,
  ): Partial<Session> {
    // Later than the client's, which is ahead of the row's if a backup was restored.
    const generation = Math.max(session.generation, claims.generation) + 1
    const before = sessionFor(session, claims)
    const how = confirmedNow(before, user, methods)
    const lastSeenAt = new Date()
    return {
      ...how,
      generation,
      // What proves nothing confirms nothing: then the confirmation before still counts for the tokens it counted for.
      ...(how.confirmedAt !== before.confirmedAt && { confirmedGeneration: generation }),
      epoch: user.sessionEpoch,
      lastSeenAt,
      expiresAt: expiryOf({ createdAt: session.createdAt, lastSeenAt }, limits),
    }
  }

  /** @returns the id of its row; `null` if it was ended meanwhile */
  function goOn(client: Client, continued: Continued): Promise<string | null> {
    return attemptChange(async () => {
      const found = await brought(client)
      if (found === null) return null
      const { claims, session } = found
      const changes = advance(session, claims, continued)
      if (!(await sessions.change(session.id, session.generation, changes))) return undefined
      deliver(client, claims.sessionId, { ...session, ...changes })
      return session.id
    })
  }

  const keeper: SessionKeeper = {
    begin(client, how) {
      let kept: KeptSession | null = null
      return {
        isDue: () => true,
        make: (user) => makeFor(client, user, how),
        stored(begun) {
          kept = begun
        },
        // It begins with `start`.
        async follow() {},
        async start(user) {
          const made = kept ?? (await makeFor(client, user, how))
          const count = kept === null ? await sessions.create(made.session) : kept.count
          try {
            await endBrought(client)
            // A stream of the host may have sent the headers meanwhile.
            client.checkReach()
          } catch (error) {
            drop(made)
            throw error
          }
          deliver(client, made.sessionId, made.session)
          await cap.keepTo(user.id, count)
          if (how.confirmedAt !== null) device.write(client, user)
        },
      }
    },

    continue: (client, login, methods) => ({
      ...continued(client, login, methods),
      async make(user): Promise<NextSession | null> {
        const found = await brought(client)
        if (found === null) return null
        const { claims, session } = found
        const changes = advance(session, claims, { user, methods })
        return {
          sessionId: claims.sessionId,
          session: { ...session, ...changes },
          cookieValue: '',
          change: { id: session.id, fromGeneration: session.generation, changes },
          isInPlace: true,
        }
      },
      stored(kept, user) {
        if (kept !== null) deliver(client, kept.sessionId, kept.session)
        device.write(client, user)
      },
    }),

    confirm: async (client, given) => (await goOn(client, given)) !== null,

    async end(client) {
      try {
        const session = await endBrought(client)
        return session && { id: session.userId }
      } catch (error) {
        // The user tapped "log out", so the session must not outlive the outage.
        pRetry(() => endBrought(client), { retries: 8, unref: true }).catch((reason) => {
          logTrouble(log, reason, 'accounts: a session could not be ended')
        })
        throw error
      }
    },

    async forget(client) {
      endBrought(client).catch(() => {})
    },

    removeAll: (userId) => removeAll(userId),
  }
  const continued = createContinue(keeper, device, async (client, given) => {
    const id = await goOn(client, given)
    await removeAll(given.user.id, id ?? undefined)
  })
  return keeper
}
