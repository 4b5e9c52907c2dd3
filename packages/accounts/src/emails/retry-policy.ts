/**
 * The pause after a try, in milliseconds: half a second, then twice as long each time, up to an hour; between half of
 * that and all of it ("equal jitter" in "Exponential Backoff And Jitter", AWS Architecture Blog, 2015), so that what
 * failed together is not tried together.
 */
export function pauseAfter(attempts: number): number {
  return longestPause(attempts) * (0.5 + Math.random() / 2)
}

function longestPause(attempts: number): number {
  return Math.min(3_600_000, 500 * 2 ** Math.max(0, attempts - 1))
}

/** Milliseconds between the first try and this one, at the most. */
export function ageAt(attempts: number): number {
  return Array.from({ length: attempts - 1 }, (_, at) => longestPause(at + 1)).reduce(
    (sum, each) => sum + each,
    0,
  )
}

/** How much each kind of outbox is asked to hold, and how long it is tried. */
const retryPolicy = {
  /** A thousand mails mean that the mail server is gone; three pauses of seconds, since none outlives the process. */
  passing: { maxWaiting: 1000, maxAttempts: 4 },
  /**
   * About a day: thirteen pauses up to an hour, and then one of each hour. RFC 5321, 4.5.4.1 gives up after four days
   * or five; but what these mails ask for is of the day.
   */
  lasting: { maxWaiting: 100_000, maxAttempts: 40 },
}

/** @param isLasting whether the outbox outlives the process */
export function retryPolicyOf(isLasting: boolean): { maxWaiting: number; maxAttempts: number } {
  return isLasting ? retryPolicy.lasting : retryPolicy.passing
}
