import type { MailQueue } from '../seams/outbox.js'
import type { HeldNotices } from './held-notices.js'
import { pollInterval } from './poll-times.js'
import { retryPolicyOf } from './retry-policy.js'

/** How many emails wait, and whether there is room for another. */
export interface Backlog {
  /** Counts what waits if that may be much; not on every poll, since counting takes time. */
  measure(now: number): Promise<void>
  /** Whether there was no room when last measured. */
  wasFull(): boolean
  /** Why no further email is accepted; `null` if there is room, which one about a changed account has longer. */
  refusal(isAboutChange: boolean): Promise<Error | null>
}

/** @param deps.isLasting whether the outbox outlives the process; if not, each check counts what waits */
export function createBacklog(deps: {
  outbox: Pick<MailQueue, 'count'>
  isLasting: boolean
  held: Pick<HeldNotices, 'size'>
}): Backlog {
  const { outbox, isLasting, held } = deps
  const { maxWaiting, maxWithChanges } = retryPolicyOf(isLasting)
  let measured = 0
  let measuredAt = 0

  return {
    async measure(now) {
      if (!isLasting || Math.abs(now - measuredAt) < pollInterval) return
      measuredAt = now
      measured = (await outbox.count()).waiting
    },
    wasFull: () => measured >= maxWaiting,
    async refusal(isAboutChange) {
      const waiting = isLasting ? measured : (await outbox.count()).waiting + held.size()
      const most = isAboutChange ? maxWithChanges : maxWaiting
      return waiting >= most ? new Error(`more than ${most} emails are waiting`) : null
    },
  }
}
