import type { Session, SessionState, SessionUpdate } from '../seams/session-store.js'
import type { Claim } from './claim.js'
import { type Login, weakestLast } from './session-rules.js'

/*
 * A session goes on in its own row, by compare-and-swap, and its client gets a claim to a new generation. The response may
 * get lost, and other requests are under way, so older claims stay good for a while: from when a newer one was first
 * presented, for one to two windows. The window doesn't slide, or a thief could hold it open. What is good is a function of
 * the row, the claim and the time of the store.
 */

/** Milliseconds: as long as a request of another tab or part of the app may take. */
const windows: Record<Session['kind'], number> = { cookie: 10_000, token: 30_000 }

/** What a new session begins with. */
export const firstState = {
  kind: 'cookie',
  name: null,
  generation: 0,
  seenGeneration: 0,
  baseGeneration: 0,
  nextBase: null,
  settlesAt: null,
  confirmation: 0,
  priorConfirmedAt: null,
} as const satisfies Partial<Session>

/** The session with the base that it has by now. A base that was due raises it even if nobody has looked since. */
export function settle(session: Session, now: number): Session {
  const { seenGeneration } = session
  let { baseGeneration, nextBase, settlesAt } = session
  if (settlesAt === null || settlesAt.getTime() > now) return session
  while (nextBase !== null && settlesAt !== null && settlesAt.getTime() <= now) {
    baseGeneration = nextBase
    const isNewer = seenGeneration > baseGeneration
    nextBase = isNewer ? seenGeneration : null
    settlesAt = isNewer ? windowAfter(session, settlesAt.getTime()) : null
  }
  return { ...session, baseGeneration, nextBase, settlesAt }
}

/** Whether a claim isn't below the base. Of a settled session. */
export function isGood({ baseGeneration }: Session, { generation }: Claim): boolean {
  return generation >= baseGeneration
}

/**
 * Counts that somebody has presented a good claim. One above the row is from before its backup was restored: it counts as
 * the newest, and of a confirmation that the row has lost nothing counts.
 * @param session settled
 */
export function withSight(session: Session, claim: Claim, now: number): Session {
  const { confirmation } = claim
  const seenGeneration = Math.max(session.seenGeneration, claim.generation)
  const opens = session.settlesAt === null && seenGeneration > session.baseGeneration
  return {
    ...session,
    generation: Math.max(session.generation, claim.generation),
    seenGeneration,
    ...(opens && { nextBase: seenGeneration, settlesAt: windowAfter(session, now) }),
    ...(confirmation > session.confirmation && { confirmation, confirmedAt: null, priorConfirmedAt: null }),
  }
}

/** Whether the sight of a claim changes the row. Of a settled session, or one that was read. */
export function isUnseen(session: Session, { generation, confirmation }: Claim): boolean {
  const { seenGeneration, baseGeneration, settlesAt } = session
  // A sight that was being written while a window ended has opened none.
  const isUnopened = settlesAt === null && seenGeneration > baseGeneration
  return generation > seenGeneration || confirmation > session.confirmation || isUnopened
}

/** Whether what is good depends on the time: the window may be over, or begins. */
export function needsTime(session: Session, claim: Claim): boolean {
  return session.settlesAt !== null || isUnseen(session, claim)
}

/** What a change compares with the row that was read. */
export function stateOf({ generation, seenGeneration, confirmation }: Session): SessionState {
  return { generation, seenGeneration, confirmation }
}

/** What differs between a row and what becomes of it; `null` for nothing. */
export function updateOf(before: Session, after: Session): SessionUpdate | null {
  const differing = Object.entries(after).filter(([name, value]) => {
    const old = before[name as keyof Session]
    return value instanceof Date && old instanceof Date ? value.getTime() !== old.getTime() : value !== old
  })
  return differing.length === 0 ? null : (Object.fromEntries(differing) as SessionUpdate)
}

/**
 * The session once its owner has proved something, for whom the new claim is delivered to.
 * @param confirmedAt when they last proved who they are: with a second factor on, only a proof with it counts
 * @param refreshes whether a refresh alone makes a generation
 */
export function withProof(session: Session, confirmedAt: Date | null, refreshes: boolean): Session {
  return {
    ...session,
    confirmation: session.confirmation + 1,
    confirmedAt,
    priorConfirmedAt: session.confirmedAt,
    ...(!refreshes && { generation: session.generation + 1 }),
  }
}

/**
 * The session as somebody with this claim may use it: nobody is confirmed by what another part of the app, or a thief, has
 * proved. Of two confirmations at once both count, for one window, by the clock that says when they were, as of logins:
 * the process's.
 */
export function loginBy(session: Session, { confirmation, hasFactor }: Claim): Login {
  const behind = session.confirmation - confirmation
  if (behind === 0 && hasFactor === session.methods.includes('mfa')) return session
  const methods = session.methods.filter((method) => hasFactor || method !== 'mfa')
  if (behind === 0) return { ...session, methods }
  const since = session.confirmedAt
  const isBeside =
    behind === 1 && since !== null && Date.now() < windowAfter(session, since.getTime()).getTime()
  return {
    ...session,
    confirmation,
    confirmedAt: isBeside ? session.priorConfirmedAt : null,
    // The last one may be another's, so only the weakest counts as this one's.
    methods: weakestLast(methods),
  }
}

function windowAfter({ kind }: Pick<Session, 'kind'>, time: number): Date {
  return new Date(time + windows[kind])
}
