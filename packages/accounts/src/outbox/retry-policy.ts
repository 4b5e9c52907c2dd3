/**
 * All that differs between an outbox in the user store's database and one in memory. The rest of the delivery is the same
 * for both.
 */
export interface RetryPolicy {
  maxAttempts: number
  /** How many messages may wait in a realm. */
  maxWaiting: number
  /** The same for emails about a changed account, and for events: requests by strangers must not use up their room. */
  maxWithChanges: number
  /** Whether other processes use it as well: they leave messages in it, and deliver what waits when this one ends. */
  isShared: boolean
}

/**
 * About a day: thirteen pauses up to an hour, then hourly. RFC 5321, 4.5.4.1 gives up after four or five days, but these
 * emails and events are urgent.
 */
export const databasePolicy: RetryPolicy = {
  maxAttempts: 40,
  maxWaiting: 100_000,
  maxWithChanges: Number.POSITIVE_INFINITY,
  isShared: true,
}

/**
 * Three pauses of seconds, since none outlives the process. A thousand waiting emails mean that the mail server is down;
 * an account's limits keep the notices about its changes few.
 */
export const memoryPolicy: RetryPolicy = {
  maxAttempts: 4,
  maxWaiting: 1000,
  maxWithChanges: 10_000,
  isShared: false,
}

/**
 * The pause after an attempt, in milliseconds: half a second, then doubled each time up to an hour; a random
 * half to all of that ("equal jitter" in "Exponential Backoff And Jitter", AWS Architecture Blog, 2015), so
 * what failed together isn't retried together.
 */
export function pauseAfter(attempts: number): number {
  return longestPause(attempts) * (0.5 + Math.random() / 2)
}

function longestPause(attempts: number): number {
  return Math.min(3_600_000, 500 * 2 ** Math.max(0, attempts - 1))
}

/** The maximum number of milliseconds between the first attempt and this one. */
export function ageAt(attempts: number): number {
  let age = 0
  for (let attempt = 1; attempt < attempts; attempt += 1) age += longestPause(attempt)
  return age
}
