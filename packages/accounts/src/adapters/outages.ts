import { shared } from '../copies.js'
import { describeError } from './describe-error.js'

/** Tracks the calls of one adapter. Each outage is logged in two lines, however many calls fail. */
export interface Outage {
  /**
   * A call got a response, possibly with an error that the interface documents.
   * @param call its name. If writes have failed, the response to a read does not end the outage
   */
  responded(call?: string): void
  /**
   * A call failed and rejects with this error.
   * @param details.call its name
   * @param details.begins whether it may be the start of an outage; if not, it only belongs to one that is logged.
   * Default `true`
   */
  failed(error: unknown, details?: { call?: string | undefined; begins?: boolean }): void
}

/** The part of a logger in use. */
export interface OutageLog {
  error(data: object, text: string): void
  warn(data: object, text: string): void
}

/**
 * Milliseconds without a failed call after which an outage is over: as long as a call may take by default. An
 * adapter that fails now and then logs one outage, not two lines for each failure.
 */
const quiet = 5_000

/** The names of calls that write nothing: a read-only database still serves them. */
const reads = /^(find|list|count|now)/

/** Errors of failed calls whose outage has been logged, and their causes: a copy of the error has the same cause. */
const told = shared('outages', () => new WeakSet<object>())

/** Whether an error belongs to a logged outage and so isn't logged again. */
export function isOfOutage(error: unknown): boolean {
  return withCauses(error).some((each) => told.has(each))
}

function withCauses(error: unknown): object[] {
  const chain: object[] = []
  for (let each = error; typeof each === 'object' && each !== null; each = (each as Error).cause) {
    if (chain.includes(each)) break
    chain.push(each)
  }
  return chain
}

/**
 * Logs the start of an outage with its cause, and its end with its duration and the number of failed calls.
 * @param name such as `the user store`
 */
export function createOutage(name: string, log: OutageLog): Outage {
  let current:
    | {
        began: number
        failed: number
        hasFailedWrites: boolean
        respondedAt?: number
        timer?: NodeJS.Timeout
      }
    | undefined

  function end(began: number, over: number, failed: number): void {
    current = undefined
    const ms = Math.round(over - began)
    const calls = failed === 1 ? '1 call' : `${failed.toLocaleString('en-US')} calls`
    log.warn(
      { adapter: name, ms, failed },
      `accounts: ${name} is available again after ${spoken(ms)}, ${calls} failed`,
    )
  }

  return {
    responded(call = '') {
      if (current === undefined || current.respondedAt !== undefined) return
      if (current.hasFailedWrites && reads.test(call)) return
      const { began, failed } = current
      const respondedAt = performance.now()
      current.respondedAt = respondedAt
      current.timer = setTimeout(() => end(began, respondedAt, failed), quiet).unref()
    },
    failed(error, { call = '', begins = true } = {}) {
      if (current === undefined && !begins) return
      for (const each of withCauses(error)) told.add(each)
      if (current === undefined) {
        current = { began: performance.now(), failed: 0, hasFailedWrites: false }
        log.error({ err: error, adapter: name }, `accounts: ${name} is unavailable: ${describeError(error)}`)
      }
      clearTimeout(current.timer)
      delete current.respondedAt
      current.failed += 1
      current.hasFailedWrites ||= !reads.test(call)
    },
  }
}

function spoken(ms: number): string {
  if (ms < 1000) return `${ms} ms`
  const seconds = Math.round(ms / 1000)
  return seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`
}
