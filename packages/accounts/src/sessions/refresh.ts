import type { Session } from '../seams/session-store.js'
import type { User } from '../user.js'
import { attemptChange } from './attempt-change.js'
import { isOfEpoch, rowIdOf } from './claim.js'
import type { Client } from './client.js'
import { isGood, settle, stateOf, updateOf, withSight } from './generations.js'
import { findClaimed, type SessionParts } from './session-parts.js'
import { expiryOf, isDueForTouch, isLive } from './session-rules.js'

/** How a refresh ended: with new tokens, or without, because the session is over or ends now. */
type Refreshed =
  | { outcome: 'refreshed'; user: User }
  | { outcome: 'reused'; user: User; untold: { cause: unknown } | null }
  | { outcome: 'over'; user: User | null }

/** What a refresh does once it knows what the token is. */
interface RefreshSteps {
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
   * Delivers new tokens. Of any number of requests at once with the same refresh token one advances the generation, and all
   * get the same successor: it is derived from the claim and the generation, and stored nowhere. So does one whose response
   * was lost. Each has the confirmation of its own token.
   * `reused`: a token below the base comes from a copy (RFC 9700 section 4.14.2). The session has ended; `untold` says why
   * its owner couldn't be told.
   */
  refresh(client: Client, text: string, along: RefreshSteps): Promise<Refreshed>
  /** Ends the session of a refresh or access token. @returns whose it was; `null` if none was ended */
  revoke(text: string): Promise<{ id: string } | null>
}

export function createRefreshes(
  parts: SessionParts & { tokens: NonNullable<SessionParts['tokens']> },
): Refreshes {
  const { findVisit, sessions, clock } = parts
  const { spelling, limits } = parts.tokens

  /** The session after this use of a good claim. */
  function continued(seen: Session, advances: boolean): Session {
    if (!advances && !isDueForTouch(seen, limits)) return seen
    const lastSeenAt = new Date()
    const expiresAt = expiryOf({ ...seen, lastSeenAt }, limits)
    return { ...seen, generation: seen.generation + (advances ? 1 : 0), lastSeenAt, expiresAt }
  }

  return {
    async refresh(client, text, { spend, tellOwner }) {
      const claim = spelling.readRefresh(text)
      if (claim === null) return { outcome: 'over', user: null }
      let isSpent = false
      return attemptChange<Refreshed>(async () => {
        const visit = await findVisit(rowIdOf(claim))
        if (!visit?.user || visit.session.kind !== 'token' || !isOfEpoch(visit.session, claim))
          return { outcome: 'over', user: null }
        const { session, user } = visit
        if (!isLive(session, user, limits)) return { outcome: 'over', user }
        const now = await clock()
        const settled = settle(session, now)
        if (!isGood(settled, claim)) {
          const untold = await tellOwner(user, session).then(
            () => null,
            (cause: unknown) => ({ cause }),
          )
          await sessions.delete(session.id)
          return { outcome: 'reused', user, untold }
        }
        const seen = withSight(settled, claim, now)
        const advances = claim.generation === seen.generation
        if (advances && !isSpent) {
          await spend(session.id)
          isSpent = true
        }
        const after = continued(seen, advances)
        const update = updateOf(session, after)
        if (update !== null && !(await sessions.change(session.id, stateOf(session), update)))
          return undefined
        client.deliver(spelling.issue({ ...claim, generation: after.generation }, after))
        return { outcome: 'refreshed', user }
      })
    },

    async revoke(text) {
      const claim = spelling.readRefresh(text) ?? spelling.readAccess(text)
      const session = await findClaimed(parts, 'token', claim)
      return session !== null && (await sessions.delete(session.id)) ? { id: session.userId } : null
    },
  }
}
