/** How long hashes take here. */
export interface HashTimes {
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
/** The number of recent hashes that the estimate uses. */
const samples = 16

export function createHashTimes(): HashTimes {
  /** The durations of the last hashes, in milliseconds. */
  const times: number[] = []

  /**
   * The third quartile. The fastest hash is too optimistic, especially on shared cores: there most take far
   * longer, and everybody behind them waits for the sum. The slowest is no better, because one delayed by a
   * pause of the whole machine would decide. Erring on the long side costs nothing: enough are waiting to
   * keep every slot busy, and callers who are rejected needn't wait for it. With two or three hashes it isn't
   * the slowest, because a start delays the first one.
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
      // A hasher that fails at once says nothing about the time of a hash; one that hangs says a lot.
      if (!failed || took > estimate()) times.push(took)
      if (times.length > samples) times.shift()
    }
  }

  return { estimate, measure }
}
