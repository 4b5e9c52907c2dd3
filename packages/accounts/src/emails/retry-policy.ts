/**
 * The pause after an attempt, in milliseconds: half a second, then doubled each time up to an hour; a random
 * half to all of that ("equal jitter" in "Exponential Backoff And Jitter", AWS Architecture Blog, 2015), so
 * emails that failed together aren't retried together.
 */
export function pauseAfter(attempts: number): number {
  return longestPause(attempts) * (0.5 + Math.random() / 2)
}

function longestPause(attempts: number): number {
  return Math.min(3_600_000, 500 * 2 ** Math.max(0, attempts - 1))
}

/** The maximum number of milliseconds between the first attempt and this one. */
export function ageAt(attempts: number): number {
  return Array.from({ length: attempts - 1 }, (_, at) => longestPause(at + 1)).reduce(
    (sum, each) => sum + each,
    0,
  )
}

/** How much each kind of outbox holds, and how often it retries. */
const retryPolicy = {
  /**
   * A thousand emails mean that the mail server is down; three pauses of seconds, since none outlives the process.
   * Requests by strangers must not use up the room for notices about changes, which an account's limits keep few.
   */
  passing: { maxWaiting: 1000, maxWithChanges: 10_000, maxAttempts: 4 },
  /**
   * About a day: thirteen pauses up to an hour, then hourly. RFC 5321, 4.5.4.1 gives up after four or five
   * days, but these emails are urgent.
   */
  lasting: { maxWaiting: 100_000, maxWithChanges: Number.POSITIVE_INFINITY, maxAttempts: 40 },
}

/** @param isLasting whether the outbox outlives the process */
export function retryPolicyOf(isLasting: boolean): {
  maxWaiting: number
  maxWithChanges: number
  maxAttempts: number
} {
  return isLasting ? retryPolicy.lasting : retryPolicy.passing
}
