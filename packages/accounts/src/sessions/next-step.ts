import type { Session } from '../seams/session-store.js'
import type { User } from '../user.js'
import { type BroughtClaim, type Claim, claimTo, isOfEpoch } from './claim.js'
import type { Client } from './client.js'
import { isGood, loginBy, settle, withProof, withSight } from './generations.js'
import type { Reproof, SessionEffect } from './session-effect.js'
import {
  broughtClaim,
  findClaimed,
  isRefreshed,
  kindFor,
  limitsOf,
  type SessionParts,
} from './session-parts.js'
import { confirmedNow, expiryOf, hasGivenFactor, isProof } from './session-rules.js'

/** How a session goes on. */
export interface Step {
  before: Session
  after: Session
  /** What its client is given. */
  claim: Claim
  /**
   * When that ends, in milliseconds since 1970, if it isn't as good as a login: an access token alone may be stolen, so it
   * becomes nothing that outlives it.
   */
  end: number | null
}

/**
 * How a client's session goes on after a change of its user, or once they have proved again who they are. It begins with
 * what the row has now: since the request was admitted, others may have changed it.
 * @param user as the change leaves them
 * @returns `'kept'` if the client keeps the claim that it has; `null` if the session has ended
 */
export type NextStep = (
  client: Client,
  user: User,
  proof: Reproof,
  others: SessionEffect['others'],
) => Promise<Step | 'kept' | null>

export function createNextStep(parts: SessionParts): NextStep {
  const { clock, tokens } = parts

  /** The refresh token that the client sends along, if it is a good one of the session. */
  function refreshClaimTo(settled: Session, { base }: Claim, { refreshToken }: Client): Claim | null {
    const claim = refreshToken === null ? null : (tokens?.spelling.readRefresh(refreshToken) ?? null)
    return claim?.base === base && isOfEpoch(settled, claim) && isGood(settled, claim) ? claim : null
  }

  /** Whether the request itself proves who sends it, by what is older than its access token. */
  function proves(
    { expiresAt = 0 }: BroughtClaim,
    user: User,
    { methods, since = 0 }: Reproof,
    others: SessionEffect['others'],
  ): boolean {
    if (since >= expiresAt - (tokens?.limits.accessLifetime ?? 0)) return false
    // What ends all others asks for as much as a login; a confirmation has been checked.
    return others === 'end' ? isProof(user, methods) : methods.length > 0
  }

  return async (client, user, proof, others) => {
    const claim = broughtClaim(parts, client)
    const before = await findClaimed(parts, kindFor(parts, client), claim)
    if (claim === null || before === null) return null
    const now = await clock()
    const settled = settle(before, now)
    const refreshes = isRefreshed(parts, before.kind)
    if (!refreshes && !isGood(settled, claim)) return null
    const refresh = refreshClaimTo(settled, claim, client)
    const isTrusted = !refreshes || refresh !== null || proves(claim, user, proof, others)
    if (!isTrusted && others === 'keep') return 'kept'

    const { methods } = proof
    const seen = withSight(withSight(settled, claim, now), refresh ?? claim, now)
    const own = confirmedNow(loginBy(settled, claim), user, methods)
    // Any proof, as it may be what the owner of a login passkey needs besides a confirmation.
    const isProved = isTrusted && methods.length > 0
    const end = isTrusted ? null : (claim.expiresAt ?? null)
    const lastSeenAt = new Date()
    const after: Session = {
      ...(isProved ? withProof(seen, own.confirmedAt, refreshes) : seen),
      ...(others === 'end' && { epoch: user.sessionEpoch }),
      // With those of other parts of the app: each claim says whether it was given a factor.
      methods: confirmedNow(seen, user, methods).methods,
      lastSeenAt,
      expiresAt:
        end === null ? expiryOf({ ...before, lastSeenAt }, limitsOf(parts, before.kind)) : new Date(end),
    }
    const confirmation = isProved ? after.confirmation : claim.confirmation
    const next = { ...claimTo(claim.base, after), hasFactor: hasGivenFactor(own), confirmation }
    return { before, after, claim: next, end }
  }
}
