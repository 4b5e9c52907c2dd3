import type { MessageQueue } from '../seams/outbox.js'
import type { RetryPolicy } from './retry-policy.js'

/** How many messages wait in a realm, and whether there is room for more. */
export interface Backlog {
  /** Counts what waits, at most every few seconds, since counting takes time. */
  measure(): Promise<void>
  /** Whether there was no room when last measured. */
  wasFull(): boolean
  /**
   * Why no further messages are accepted; `null` if there is room, which those about a changed account have longer.
   * Those accepted count until the next measurement.
   */
  refusal(count: number, isAboutChange: boolean): Promise<Error | null>
}

/** Minimum milliseconds between two measurements of a database; in memory they cost nothing. */
const measurePause = 5_000

export function createBacklog(deps: {
  outbox: Pick<MessageQueue, 'count'>
  realm: string
  /** `emails` or `events`. */
  what: string
  policy: Pick<RetryPolicy, 'maxWaiting' | 'maxWithChanges' | 'isShared'>
}): Backlog {
  const { outbox, realm, what, policy } = deps
  const pause = policy.isShared ? measurePause : 0
  let measured = 0
  let accepted = 0
  let measuredAt = Number.NEGATIVE_INFINITY
  let measurement: Promise<void> | undefined

  async function count(): Promise<void> {
    const before = accepted
    measured = (await outbox.count(realm)).waiting
    accepted -= before
  }

  async function measure(): Promise<void> {
    const now = performance.now()
    if (measurement === undefined && now - measuredAt >= pause) {
      measuredAt = now
      measurement = count().finally(() => {
        measurement = undefined
      })
    }
    await measurement
  }

  return {
    measure,
    wasFull: () => measured >= policy.maxWaiting,
    async refusal(count, isAboutChange) {
      const most = isAboutChange ? policy.maxWithChanges : policy.maxWaiting
      const isFull = (): boolean => measured + accepted >= most
      if (isFull()) await measure()
      if (isFull()) return new Error(`more than ${most} ${what} are waiting`)
      accepted += count
      return null
    },
  }
}
