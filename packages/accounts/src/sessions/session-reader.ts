import { logTrouble } from '../adapters/log-trouble.js'
import type { Session } from '../seams/session-store.js'
import type { User } from '../user.js'
import { type Claim, isOfEpoch, rowIdOf } from './claim.js'
import type { Client } from './client.js'
import { isGood, loginBy, needsTime, settle, stateOf, updateOf, withSight } from './generations.js'
import { broughtClaim, kindFor, limitsOf, refuse, type SessionParts } from './session-parts.js'
import { expiryOf, isDueForTouch, isLive, type Login } from './session-rules.js'

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
 * Tells who is logged in: cookie or access token → signature → session row → user. Called only on demand. It changes an
 * existing row at most, so a request in progress can't bring an ended session back.
 * @throws AccountsError ACCOUNTS_LOGIN_REQUIRED if the client sends a token or key of ours that isn't good here, even where
 * nobody needs to be logged in
 */
export type SessionReader = (client: Client) => Promise<FoundVisit | null>

export function createSessionReader(parts: SessionParts): SessionReader {
  const { findVisit, sessions, clock, cookie, cookieLimits, tokens } = parts

  /**
   * Records the first sight of a claim, so those before it end soon, and the use of a cookie, if that is due; of tokens, only
   * a refresh counts. The user is known: failing to record isn't worth an outage.
   */
  async function record(client: Client, session: Session, settled: Session, claim: Claim, now: number) {
    const isSight = claim.generation > session.seenGeneration || claim.confirmation > session.confirmation
    const isDue = session.kind === 'cookie' && isDueForTouch(session, cookieLimits)
    if (!isSight && !isDue) return
    const lastSeenAt = new Date()
    const times = { lastSeenAt, expiresAt: expiryOf({ ...session, lastSeenAt }, cookieLimits) }
    try {
      if (isSight) {
        const sight = updateOf(session, withSight(settled, claim, now))
        await sessions.change(session.id, stateOf(session), { ...sight, ...(isDue && times) })
      } else await sessions.touch(session.id, times)
    } catch (error) {
      logTrouble(client.log, error, 'accounts: the use of a session could not be recorded')
    }
  }

  /**
   * Deletes a row that can't become valid again unless somebody undoes what ended it. After a new epoch the change that moved
   * it may be continuing this session, so there it would look like a logout.
   */
  async function remove(client: Client, session: Session, user: User | null): Promise<void> {
    if (user !== null && user.sessionEpoch !== session.epoch) return
    try {
      await sessions.delete(session.id)
    } catch (error) {
      logTrouble(client.log, error, 'accounts: a session that is no longer valid could not be deleted')
    }
  }

  return async (client) => {
    const kind = kindFor(parts, client)
    const claim = client.bearer !== null && tokens === null ? null : broughtClaim(parts, client)
    const visit = claim && (await findVisit(rowIdOf(claim)))
    const { session, user } = visit ?? { session: null, user: null }
    const isClaimed = claim !== null && session?.kind === kind && isOfEpoch(session, claim)
    if (!isClaimed || user === null || !isLive(session, user, limitsOf(parts, kind))) {
      if (isClaimed) await remove(client, session, user)
      return client.bearer === null ? null : refuse(client)
    }
    const now = needsTime(session, claim) ? await clock() : Date.now()
    const settled = settle(session, now)
    // An access token is good until it ends.
    const isCurrent = isGood(settled, claim)
    if (!isCurrent && kind === 'cookie') return null
    if (isCurrent) await record(client, session, settled, claim, now)
    if (claim.isOld && claim.generation === settled.generation) cookie.write(client, claim, session)
    return { user, login: loginBy(settled, claim), credential: session.id }
  }
}
