import type { Refusals } from './refusals.js'
import { wakeDelay } from './wake-delay.js'

/** How often a process looks for what others have left, in milliseconds, more or less. */
export const lookInterval = 5_000

/** When the postman looks into the outbox. */
export interface LookTimes {
  /** Soon, after a random delay: a mail was just posted. */
  wake(): void
  /** In so many milliseconds: a mail is due again then. */
  again(delay: number): void
  /** After about `lookInterval`. */
  regularly(): void
  /** To be told that a look begins. */
  begun(): void
  /** Plans no further look. */
  stop(): void
}

/** @param deps.isLasting whether the outbox outlives the process, and others may take from it */
export function createLookTimes(deps: {
  isLasting: boolean
  refusals: Pick<Refusals, 'isEverybody'>
  look(): Promise<void>
}): LookTimes {
  const { isLasting, refusals, look } = deps
  /** Whether a look is due for what was just posted. */
  let isWoken = false
  let isStopped = false
  let timer: NodeJS.Timeout | undefined
  /** When the timer fires; never in the past, or nobody could set it again. */
  let lookAt = Number.POSITIVE_INFINITY

  function within(delay: number): void {
    const at = Date.now() + delay
    if (isStopped || at >= lookAt) return
    lookAt = at
    clearTimeout(timer)
    timer = setTimeout(() => {
      lookAt = Number.POSITIVE_INFINITY
      void look()
    }, delay)
    timer.unref()
  }

  return {
    wake() {
      if (isWoken) return
      isWoken = true
      const { min, max } = wakeDelay
      if (refusals.isEverybody()) within(lookInterval)
      else if (max === 0) setImmediate(look)
      else within(min + Math.random() * (max - min))
    },
    again(delay) {
      if (isLasting) within(delay)
      // In memory each mail has its own timer.
      else setTimeout(look, delay).unref()
    },
    regularly: () => within(lookInterval * (0.8 + 0.4 * Math.random())),
    begun() {
      isWoken = false
    },
    stop() {
      isStopped = true
      clearTimeout(timer)
    },
  }
}
