import type { MailQueue, OutboxEntry } from '../seams/outbox.js'
import type { Backlog } from './backlog.js'
import type { HandleMail } from './handle-mail.js'
import { type KeptClaim, keepClaim } from './keep-claim.js'
import type { OutboxClock } from './outbox-clock.js'
import type { PollTimes } from './poll-times.js'
import type { Refusals } from './refusals.js'
import type { RetryPolicy } from './retry-policy.js'

/** Claims due emails from the outbox, a few at a time, and has each handled. */
export interface Claimer {
  /** Emails that this process is handling, oldest first, with their user as soon as it is known. */
  underWay: Map<string, { userId: string | null; readonly begunAt: number }>
  /** Claims as many due emails as can be handled. If called while polling, polls once more. */
  takeDue(): Promise<void>
  /** Polls once more as soon as an email has been handled. */
  wantMore(): void
  /** Sets how many further claims are allowed. */
  allow(claims: number): void
  isIdle(): boolean
  /** Resolves when a poll ends or an email has been handled. */
  nextChange(): Promise<void>
}

const concurrency = 5

/** @param deps see `createPostman` */
export function createClaimer(deps: {
  outbox: MailQueue
  clock: OutboxClock
  realm: string
  policy: Pick<RetryPolicy, 'isShared'>
  lease: number
  refusals: Pick<Refusals, 'isEverybody'>
  backlog: Backlog
  times: Pick<PollTimes, 'begun' | 'regularly'>
  handle: HandleMail
  onTrouble(error: unknown): void
}): Claimer {
  const { outbox, clock, realm, policy, lease, refusals, backlog, times, handle, onTrouble } = deps
  const underWay: Claimer['underWay'] = new Map()
  let claimsLeft = Number.POSITIVE_INFINITY
  let isLooking = false
  /** Whether a poll was requested, or more is due than could be claimed. */
  let isWanted = false
  let isInTrouble = false
  let onChange = (): void => {}

  async function takeDue(): Promise<void> {
    isWanted = true
    times.begun()
    if (isLooking) return
    isLooking = true
    try {
      while (isWanted && claimsLeft > 0 && underWay.size < concurrency) await claim()
      isInTrouble = false
    } catch (error) {
      if (!isInTrouble) onTrouble(error)
      isInTrouble = true
    } finally {
      isLooking = false
    }
    await pollLater()
    onChange()
  }

  /** Nobody else leaves any in memory, but some may be due later, or the clock may have been set back. */
  async function pollLater(): Promise<void> {
    if (policy.isShared || (await outbox.count()).waiting > underWay.size) times.regularly()
  }

  async function claim(): Promise<void> {
    isWanted = false
    claimsLeft -= 1
    const limit = concurrency - underWay.size
    await clock.ask()
    const claimed = performance.now()
    const now = clock.now()
    const entries = await outbox.claim({ realm, now: new Date(now), until: new Date(now + lease), limit })
    for (const entry of entries) {
      underWay.set(entry.id, { userId: entry.mail.userId, begunAt: claimed })
      void takeInHand(entry, keepClaim({ outbox, clock, entry, lease, claimed, onTrouble }))
    }
    // While everybody is refused, a few for each poll are enough.
    if (entries.length === limit && !refusals.isEverybody()) isWanted = true
    if (isWanted || backlog.wasFull()) await backlog.measure()
  }

  async function takeInHand(entry: OutboxEntry, claim: KeptClaim): Promise<void> {
    await handle(entry, claim)
    claim.stop()
    underWay.delete(entry.id)
    if (isWanted) await takeDue()
    // It may have been put back, until later.
    else if (!policy.isShared) await pollLater()
    onChange()
  }

  return {
    underWay,
    takeDue,
    wantMore() {
      isWanted = true
    },
    allow(claims) {
      claimsLeft = claims
    },
    isIdle: () => !isLooking && underWay.size === 0,
    nextChange: () =>
      new Promise((resolve) => {
        onChange = resolve
      }),
  }
}
