import type { FastifyBaseLogger } from 'fastify'
import pRetry from 'p-retry'
import { logTrouble } from '../adapters/log-trouble.js'
import { AccountsError } from '../errors.js'
import type { Session, SessionStore, SessionUpdate } from '../seams/session-store.js'
import type { User } from '../user.js'
import { attemptChange } from './attempt-change.js'
import type { AccessToken, Client, DeliveredTokens } from './client.js'
import type { DeviceCookie } from './device-cookie.js'
import type { KeptSession, MadeSession, MakeSession } from './fastify-session.js'
import { useOf } from './refresh.js'
import type { RemoveSessions } from './remove-sessions.js'
import { createSessionCap } from './session-cap.js'
import { type Continued, createContinue, type NextSession } from './session-change.js'
import type { SessionKeeper } from './session-keeper.js'
import { confirmedNow, expiryOf, isProof, newLogin, type Proven } from './session-rules.js'
import {
  type AccessClaims,
  rowIdOf,
  type SessionTokens,
  sessionFor,
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

  async function makeFor(
    client: Client,
    user: Pick<User, 'id' | 'sessionEpoch'>,
    how: Proven,
  ): Promise<MadeSession> {
    const creation = await make(newLogin(user, how, { ...client.details, isPersistent: true }))
    const { session } = creation
    const own = { kind: 'token', name: client.sessionName, expiresAt: expiryOf(session, limits) } as const
    return { ...creation, session: { ...session, ...own, ...nextGeneration } }
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
  async function brought(client: Client): Promise<Brought | null> {
    const claims = tokens.claimsOf(client)
    if (claims === null) return null
    const session = await sessions.find(rowIdOf(claims))
    return session !== null && isHeldBy(session, claims) ? { claims, session } : null
  }

  /**
   * Whether the client gets a refresh token: it has a good one of the session, or has proved who it is in this very request.
   * An access token alone may be stolen, so it becomes nothing that outlives it: nor by what was added since it was issued.
   */
  function isTrusted(
    { refreshToken }: Client,
    { claims: { expiresAt }, session }: Brought,
    { user, methods, since = 0 }: Proof,
    endsAll: boolean,
  ): boolean {
    const isOlder = since < expiresAt - limits.accessLifetime
    // What ends all others asks for as much as a login; a confirmation has been checked.
    if (isOlder && (endsAll ? isProof(user, methods) : methods.length > 0)) return true
    const claims = refreshToken === null ? null : tokens.readRefresh(refreshToken)
    if (claims === null || rowIdOf(claims) !== session.id || !isHeldBy(session, claims)) return false
    return useOf(session, claims) !== 'reused'
  }

  /**
   * How a session goes on after a change, or once its owner has proved again who they are. It begins with what the client's
   * token has of the session now: since the request was admitted, an older token sent again may have ended the confirmation.
   * @returns `null` if the client keeps the tokens that it has
   */
  function stepOf(client: Client, found: Brought, proof: Proof, endsAll: boolean): Step | null {
    const { claims, session } = found
    const { user, methods } = proof
    const isKnown = isTrusted(client, found, proof, endsAll)
    if (!isKnown && !endsAll) return null
    // Later than the client's, which is ahead of the row's if a backup was restored.
    const generation = Math.max(session.generation, claims.generation) + 1
    const before = sessionFor(session, claims)
    const how = confirmedNow(before, user, methods)
    const confirmedAt = isKnown ? how.confirmedAt : before.confirmedAt
    const lastSeenAt = new Date()
    const end = isKnown ? expiryOf({ ...session, lastSeenAt }, limits) : new Date(claims.expiresAt)
    const changes = {
      ...how,
      confirmedAt,
      generation,
      // What proves nothing confirms nothing: then the confirmation before still counts for the tokens it counted for.
      ...(confirmedAt !== before.confirmedAt && { confirmedGeneration: generation }),
      epoch: user.sessionEpoch,
      lastSeenAt,
      expiresAt: end,
    }
    const next = { ...session, ...changes }
    const { sessionId } = claims
    const tokenSet = isKnown
      ? tokens.issue(sessionId, next)
      : tokens.issueUntil(claims.expiresAt, sessionId, next)
    return { changes, session: next, tokenSet, isKnown }
  }

  /** @returns the id of its row, and whether the client has a refresh token again; `null` if it was ended meanwhile */
  function goOn(
    client: Client,
    continued: Continued,
    endsAll: boolean,
  ): Promise<{ id: string; isKnown: boolean } | null> {
    return attemptChange(async () => {
      const found = await brought(client)
      if (found === null) return null
      const { id, generation } = found.session
      const step = stepOf(client, found, continued, endsAll)
      if (step === null) return { id, isKnown: false }
      if (!(await sessions.change(id, generation, step.changes))) return undefined
      client.deliver(step.tokenSet)
      return { id, isKnown: step.isKnown }
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
          const creation = kept ?? (await makeFor(client, user, how))
          const count = kept === null ? await sessions.create(creation.session) : kept.count
          try {
            client.checkReach()
            await endBrought(client)
            // A stream of the host may have sent the headers meanwhile.
            client.checkReach()
          } catch (error) {
            drop(creation)
            throw error
          }
          client.deliver(tokens.issue(creation.sessionId, creation.session))
          await cap.keepTo(user.id, count)
          if (how.confirmedAt !== null) device.write(client, user)
        },
      }
    },

    continue(client, login, methods, since) {
      let step: Step | null = null
      return {
        ...continued(client, login, methods, since),
        async make(user, endsAll): Promise<NextSession | null> {
          const found = await brought(client)
          step = found && stepOf(client, found, { user, methods, since }, endsAll)
          if (found === null || step === null) return null
          const { id, generation } = found.session
          const { session, changes } = step
          return {
            sessionId: found.claims.sessionId,
            session,
            cookieValue: '',
            change: { id, fromGeneration: generation, changes },
            isInPlace: true,
          }
        },
        stored(kept, user) {
          if (kept !== null && step !== null) client.deliver(step.tokenSet)
          if (step?.isKnown) device.write(client, user)
        },
      }
    },

    async confirm(client, continuation) {
      const gone = await goOn(client, continuation, false)
      if (gone?.isKnown === false)
        throw new AccountsError('ACCOUNTS_CONFIRMATION_REQUIRED', { reason: 'just_added' })
      return gone !== null
    },

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
  /** Goes on after a change that is stored, as the stores are two. */
  async function follow(client: Client, continuation: Continued, endsAll: boolean): Promise<void> {
    const gone = await goOn(client, continuation, endsAll)
    if (endsAll) await removeAll(continuation.user.id, gone?.id)
    if (gone?.isKnown) device.write(client, continuation.user)
  }
  const continued = createContinue(
    { ...keeper, confirm: (client, continuation) => follow(client, continuation, false) },
    null,
    (client, continuation) => follow(client, continuation, true),
  )
  return keeper
}

/** What a client's access token says, and the session that it names. */
interface Brought {
  claims: AccessClaims
  session: Session
}

type Proof = Pick<Continued, 'user' | 'methods' | 'since'>

/** How a session goes on, and what its client is given for that. */
interface Step {
  changes: SessionUpdate
  /** With the changes. */
  session: Session
  tokenSet: DeliveredTokens | AccessToken
  /** Whether the client has a refresh token again. */
  isKnown: boolean
}
