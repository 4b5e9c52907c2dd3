import { quantile } from '../statistics.js'

/** How long a client waits for an answer to its login, in milliseconds. */
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
  /** Those without an answer in time. */
  unanswered: number
}

export function timesOf(times: readonly number[]): Times | null {
  if (times.length === 0) return null
  const [p50, p99] = [quantile(times, 0.5), quantile(times, 0.99)]
  return { count: times.length, p50, p99, max: Math.max(...times) }
}

/**
 * Collects the outcomes of requests.
 * @param hashedStatus the status of an answer for which a password was hashed
 */
export function createTally(hashedStatus: number) {
  const hashed: number[] = []
  const refused: number[] = []
  const others: unknown[] = []
  const pending: Promise<void>[] = []
  let unanswered = 0

  return {
    add(request: Promise<{ status: number; text: string; time: number }>): void {
      const done = request.then(
        ({ status, text, time }) => {
          if (status === hashedStatus) hashed.push(time)
          else if (status === 429 || status === 503) refused.push(time)
          else others.push(`${status} ${text}`)
        },
        (error) => {
          if (hadNoAnswer(error)) unanswered++
          else others.push(error)
        },
      )
      pending.push(done)
    },

    /**
     * Waits until each has its answer or its client has timed out.
     * @throws Error if one was answered with something else
     */
    async outcomes(): Promise<Outcomes> {
      await Promise.all(pending)
      const [cause] = others
      if (cause) throw new Error(`${others.length} requests failed`, { cause })
      const sent = hashed.length + refused.length + unanswered
      return { sent, hashed: timesOf(hashed), refused: timesOf(refused), unanswered }
    },
  }
}

/** Too late, or the server closed the connection because too many were waiting. */
export function hadNoAnswer(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return code.endsWith('_TIMEOUT') || code === 'ECONNRESET' || code === 'UND_ERR_SOCKET'
}
