import { describeError } from './describe-error.js'

/** Tracks the calls of one adapter. Each outage is logged in two lines, however many calls fail. */
export interface Outage {
  /** A call was answered, possibly with an error that the interface documents. */
  answered(): void
  /** A call failed and rejects with this error. */
  failed(error: unknown): void
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

/** Errors of failed calls whose outage has been logged. */
const told = new WeakSet<object>()

/** Whether an error, or one of its causes, belongs to a logged outage and so isn't logged again. */
export function isOfOutage(error: unknown): boolean {
  for (let each = error; typeof each === 'object' && each !== null; each = (each as Error).cause) {
    if (told.has(each)) return true
  }
  return false
}

/**
 * Logs the start of an outage with its cause, and its end with its duration and the number of failed calls.
 * @param name such as `the user store`
 */
export function createOutage(name: string, log: OutageLog): Outage {
  let current: { began: number; failed: number; answeredAt?: number; timer?: NodeJS.Timeout } | undefined

  function end(began: number, over: number, failed: number): void {
    current = undefined
    const ms = Math.round(over - began)
    const calls = failed === 1 ? '1 call' : `${failed.toLocaleString('en-US')} calls`
    log.warn(
      { adapter: name, ms, failed },
      `accounts: ${name} answers again after ${spoken(ms)}, ${calls} failed`,
    )
  }

  return {
    answered() {
      if (current === undefined || current.answeredAt !== undefined) return
      const { began, failed } = current
      const answeredAt = performance.now()
      current.answeredAt = answeredAt
      current.timer = setTimeout(() => end(began, answeredAt, failed), quiet).unref()
    },
    failed(error) {
      if (typeof error === 'object' && error !== null) told.add(error)
      if (current === undefined) {
        current = { began: performance.now(), failed: 0 }
        log.error({ err: error, adapter: name }, `accounts: ${name} does not answer: ${describeError(error)}`)
      }
      clearTimeout(current.timer)
      delete current.answeredAt
      current.failed += 1
    },
  }
}

function spoken(ms: number): string {
  if (ms < 1000) return `${ms} ms`
  const seconds = Math.round(ms / 1000)
  return seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`
}
