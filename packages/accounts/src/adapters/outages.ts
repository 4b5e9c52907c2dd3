import { describeError } from './describe-error.js'

/** What becomes of the calls of one adapter, told in two lines an outage however many calls fail in it. */
export interface Outage {
  /** A call was answered, be it by an error that the seam promises. */
  answered(): void
  /** A call failed, and rejects with this error. */
  failed(error: unknown): void
}

/** What of a logger is used. */
export interface OutageLog {
  error(data: object, text: string): void
  warn(data: object, text: string): void
}

/**
 * So long no call may fail before an outage is over, in milliseconds: as long as a call may take by default. An adapter
 * that fails now and then is one outage, not a pair of lines a failure.
 */
const quiet = 5_000

/** What failed calls reject with, where a line tells of the outage that they belong to. */
const told = new WeakSet<object>()

/** Whether an error, or what caused it, is of an outage that the log tells of: then nobody logs it again. */
export function isOfOutage(error: unknown): boolean {
  for (let each = error; typeof each === 'object' && each !== null; each = (each as Error).cause) {
    if (told.has(each)) return true
  }
  return false
}

/**
 * Logs the beginning of an outage with its cause, and its end with how long it was and how many calls failed.
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
