import { shared } from '../copies.js'

/**
 * How long delivery waits before it takes out a message that was just posted, in milliseconds: a random time between
 * the two. Delivering takes time that the very next requests would otherwise wait for, which would
 * tell their sender whether there was anybody to email. At most two seconds, because somebody waits for an email.
 *
 * Tests that wait for emails or events set both to 0, in all copies of this package.
 */
export const wakeDelay: { min: number; max: number } = shared('wakeDelay', () => ({ min: 500, max: 2000 }))

/** About how often a process polls the outbox for what is due or what other processes left, in milliseconds. */
const pollInterval = 5_000

/** Milliseconds; polls that are due together become one. */
const grain = 50

/** When the outbox is polled. */
export interface PollTimes {
  /** Soon, after a random delay: a message was just posted. */
  wake(): void
  /** In `delay` milliseconds, when a message is due again; after a long delay, a regular poll finds it. */
  again(delay: number): void
  /** After about `pollInterval`. */
  regularly(): void
  /** Called when a poll begins. */
  begun(): void
  /** Schedules no further poll. */
  stop(): void
}

export function createPollTimes(poll: () => Promise<void>): PollTimes {
  /** Whether a poll is scheduled for what was just posted. */
  let isWoken = false
  let isStopped = false
  /** The regular poll comes after the latest one. */
  let regular: NodeJS.Timeout | undefined
  /** The other polls, by the time they are due. */
  const timers = new Map<number, NodeJS.Timeout>()

  function within(delay: number): void {
    const now = performance.now()
    const dueAt = Math.ceil((now + delay) / grain) * grain
    if (isStopped || timers.has(dueAt)) return
    const timer = setTimeout(() => {
      timers.delete(dueAt)
      void poll()
    }, dueAt - now)
    timers.set(dueAt, timer.unref())
  }

  return {
    wake() {
      if (isWoken) return
      isWoken = true
      const { min, max } = wakeDelay
      if (max === 0) setImmediate(poll)
      else within(min + Math.random() * (max - min))
    },
    again(delay) {
      if (delay < pollInterval) within(delay)
    },
    regularly() {
      clearTimeout(regular)
      if (isStopped) return
      regular = setTimeout(poll, pollInterval * (0.8 + 0.4 * Math.random())).unref()
    },
    begun() {
      isWoken = false
    },
    stop() {
      isStopped = true
      clearTimeout(regular)
      for (const timer of timers.values()) clearTimeout(timer)
      timers.clear()
    },
  }
}
