/** How long hashes take here. */
interface HashTimes {
  /** The estimated time of one hash, in milliseconds. */
  estimate(): number
  /** Makes a hash and records how long it took. */
  measure<T>(work: () => Promise<T>): Promise<T>
}

/**
 * The estimate before the first hash is done, in milliseconds. A hash should take less than a second (OWASP,
 * Password Storage Cheat Sheet), so this errs on the side of rejecting callers. The hash made at start
 * replaces it.
 */
const firstEstimate = 1_000
/** The number of hashes after which an earlier one counts little. */
const memory = 8

export function createHashTimes(): HashTimes {
  /** A moving average, because who waits, waits for the sum of those ahead. */
  let average = firstEstimate
  let count = 0

  function record(took: number): void {
    count = Math.min(count + 1, memory)
    average += (took - average) / count
  }

  async function measure<T>(work: () => Promise<T>): Promise<T> {
    const start = performance.now()
    let failed = true
    try {
      const result = await work()
      failed = false
      return result
    } finally {
      const took = performance.now() - start
      // A hasher that fails at once says nothing about the time of a hash; one that hangs says a lot.
      if (!failed || took > average) record(took)
    }
  }

  return { estimate: () => average, measure }
}
