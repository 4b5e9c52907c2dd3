import { quantile } from '../statistics.js'

/** How long a client waits for a response to its login, in milliseconds. */
export const patience = 15_000

/** Milliseconds from the first byte sent to the last one read. */
export interface Times {
  count: number
  p50: number
  p99: number
  max: number
}

/** The outcomes of requests that need a hash. */
export interface Outcomes {
  sent: number
  /** Those whose password was checked. */
  hashed: Times | null
  /** Those refused with 429 or 503. */
  refused: Times | null
  /** Those without a response in time. */
  timedOut: number
}

export function timesOf(times: readonly number[]): Times | null {
  if (times.length === 0) return null
  const [p50, p99] = [quantile(times, 0.5), quantile(times, 0.99)]
  return { count: times.length, p50, p99, max: Math.max(...times) }
}

/**
 * Collects the outcomes of requests.
 * @param hashedStatus the status of a response for which a password was hashed
 */
export function createTally(hashedStatus: number) {
  const hashed: number[] = []
  const refused: number[] = []
  const others: unknown[] = []
  const pending: Promise<void>[] = []
  let timedOut = 0

  return {
    add(request: Promise<{ status: number; text: string; time: number }>): void {
      const done = request.then(
        ({ status, text, time }) => {
          if (status === hashedStatus) hashed.push(time)
          else if (status === 429 || status === 503) refused.push(time)
          else others.push(`${status} ${text}`)
        },
        (error) => {
          if (hadNoResponse(error)) timedOut++
          else others.push(error)
        },
      )
      pending.push(done)
    },

    /**
     * Waits until each has its response or its client has timed out.
     * @throws Error if one got something else
     */
    async outcomes(): Promise<Outcomes> {
      await Promise.all(pending)
      const [cause] = others
      if (cause) throw new Error(`${others.length} requests failed`, { cause })
      const sent = hashed.length + refused.length + timedOut
      return { sent, hashed: timesOf(hashed), refused: timesOf(refused), timedOut }
    },
  }
}

/** Too late, or the server closed the connection because too many were waiting. */
export function hadNoResponse(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return code.endsWith('_TIMEOUT') || code === 'ECONNRESET' || code === 'UND_ERR_SOCKET'
}
