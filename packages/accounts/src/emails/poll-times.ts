import type { Refusals } from './refusals.js'
import { wakeDelay } from './wake-delay.js'

/** About how often a process polls the outbox for emails that other processes left, in milliseconds. */
export const pollInterval = 5_000

/** When the postman polls the outbox. */
export interface PollTimes {
  /** Soon, after a random delay: an email was just posted. */
  wake(): void
  /** In `delay` milliseconds, when an email is due again. */
  again(delay: number): void
  /** After about `pollInterval`. */
  regularly(): void
  /** Called when a poll begins. */
  begun(): void
  /** Schedules no further poll. */
  stop(): void
}

/** @param deps.isLasting whether the outbox outlives the process, and others may take from it */
export function createPollTimes(deps: {
  isLasting: boolean
  refusals: Pick<Refusals, 'isEverybody'>
  poll(): Promise<void>
}): PollTimes {
  const { isLasting, refusals, poll } = deps
  /** Whether a poll is scheduled for what was just posted. */
  let isWoken = false
  let isStopped = false
  let timer: NodeJS.Timeout | undefined
  /** When the timer fires; never in the past, or nobody could set it again. */
  let pollAt = Number.POSITIVE_INFINITY

  function within(delay: number): void {
    const at = Date.now() + delay
    if (isStopped || at >= pollAt) return
    pollAt = at
    clearTimeout(timer)
    timer = setTimeout(() => {
      pollAt = Number.POSITIVE_INFINITY
      void poll()
    }, delay)
    timer.unref()
  }

  return {
    wake() {
      if (isWoken) return
      isWoken = true
      const { min, max } = wakeDelay
      if (refusals.isEverybody()) within(pollInterval)
      else if (max === 0) setImmediate(poll)
      else within(min + Math.random() * (max - min))
    },
    again(delay) {
      if (isLasting) within(delay)
      // In memory each email has its own timer.
      else setTimeout(poll, delay).unref()
    },
    regularly: () => within(pollInterval * (0.8 + 0.4 * Math.random())),
    begun() {
      isWoken = false
    },
    stop() {
      isStopped = true
      clearTimeout(timer)
    },
  }
}
