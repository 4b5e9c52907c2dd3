/** How long hashes take here. */
export interface HashTimes {
  /** What one hash takes, in milliseconds. */
  estimate(): number
  /** Makes a hash, and notes how long it took. */
  measure<T>(work: () => Promise<T>): Promise<T>
}

/**
 * What a hash is taken to need before the first one is done, in milliseconds. A hash should take less than a second
 * (OWASP, Password Storage Cheat Sheet), so this errs to the side of sending people away. The hash that is made at start
 * replaces it.
 */
const firstEstimate = 1_000
/** Hashes that the estimate looks back on. */
const samples = 16

export function createHashTimes(): HashTimes {
  /** What the last hashes took, in milliseconds. */
  const times: number[] = []

  /**
   * Three of four took less. The quickest would not do, on cores that are shared above all: there most hashes take far
   * longer, and everybody behind them waits for the sum. The slowest would not do either, since one that was held up, by a
   * pause of the whole machine, would speak for all. Between the middle and the slowest the estimate errs to the side of
   * too long, which costs nothing: enough are waiting to keep every slot busy, and who is sent away at once need not wait
   * to be sent away. Of two or three hashes it is not the slowest: a start holds the first one up.
   */
  function estimate(): number {
    const sorted = times.toSorted((a, b) => a - b)
    return sorted[Math.floor((sorted.length - 1) * 0.75)] ?? firstEstimate
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
      // A hasher that fails at once says nothing of what a hash takes; one that hangs says a lot.
      if (!failed || took > estimate()) times.push(took)
      if (times.length > samples) times.shift()
    }
  }

  return { estimate, measure }
}
