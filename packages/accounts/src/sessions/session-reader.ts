import { logTrouble } from '../adapters/log-trouble.js'
import type { Session, SessionUpdate } from '../seams/session-store.js'
import type { User } from '../user.js'
import { attemptChange } from './attempt-change.js'
import { type Claim, isOfEpoch, rowIdOf } from './claim.js'
import type { Client } from './client.js'
import { isGood, isUnseen, loginBy, needsTime, settle, stateOf, updateOf, withSight } from './generations.js'
import { broughtClaim, isRefreshed, kindFor, limitsOf, refuse, type SessionParts } from './session-parts.js'
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
  const { findVisit, sessions, clock, cookie, tokens } = parts

  /**
   * Records the first sight of a claim, so those before it end soon, and its use, if that is due; where there are refresh
   * tokens, only a refresh counts. The user is known: failing to record isn't worth an outage.
   */
  async function record(client: Client, session: Session, claim: Claim, now: number): Promise<void> {
    const limits = limitsOf(parts, session.kind)
    const isDue = !isRefreshed(parts, session.kind) && isDueForTouch(session, limits)
    const lastSeenAt = new Date()
    const times = isDue ? { lastSeenAt, expiresAt: expiryOf({ ...session, lastSeenAt }, limits) } : null
    try {
      if (isUnseen(session, claim)) await recordSight(session, claim, now, times ?? {})
      else if (times !== null) await sessions.touch(session.id, times)
    } catch (error) {
      logTrouble(client.log, error, 'accounts: the use of a session could not be recorded')
    }
  }

  /** If another request has changed the session meanwhile, the sight still counts. */
  async function recordSight(found: Session, claim: Claim, now: number, times: SessionUpdate): Promise<void> {
    let session: Session | null = found
    await attemptChange(async () => {
      if (session === null || !isOfEpoch(session, claim) || !isUnseen(session, claim)) return true
      const settled = settle(session, now)
      if (!isGood(settled, claim)) return true
      const sight = { ...updateOf(session, withSight(settled, claim, now)), ...times }
      if (await sessions.change(session.id, stateOf(session), sight)) return true
      session = await sessions.find(session.id)
      return undefined
    })
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

  const nobody = (client: Client) => (client.bearer === null ? null : refuse(client))

  return async (client) => {
    const kind = kindFor(parts, client)
    // Where there are no tokens, a bearer is an API key, beside which no cookie counts.
    const claim = client.bearer !== null && tokens === null ? null : broughtClaim(parts, client)
    const visit = claim && (await findVisit(rowIdOf(claim)))
    const { session, user } = visit ?? { session: null, user: null }
    const isClaimed = claim !== null && session?.kind === kind && isOfEpoch(session, claim)
    if (!isClaimed || user === null || !isLive(session, user, limitsOf(parts, kind))) {
      if (isClaimed) await remove(client, session, user)
      return nobody(client)
    }
    const now = needsTime(session, claim) ? await clock() : Date.now()
    const settled = settle(session, now)
    const isCurrent = isGood(settled, claim)
    if (!isCurrent && !isRefreshed(parts, kind)) return nobody(client)
    if (isCurrent) await record(client, session, claim, now)
    if (claim.isOld && claim.generation === settled.generation) cookie.write(client, claim, session)
    return { user, login: loginBy(settled, claim), credential: session.id }
  }
}
