import { shared } from '../copies.js'
import type { Effect } from '../seams/methods.js'
import { describeError } from './describe-error.js'
import { onceAMinute } from './once-a-minute.js'

/** Tracks the calls of one adapter. Each outage is logged in two lines, however many calls fail. */
export interface Outage {
  /**
   * A call got a response, possibly with an error that the interface documents.
   * @param effect what is sure to have worked. If writes have failed, a read does not end the outage. Default: a write
   */
  responded(effect?: Effect): void
  /** A call was given up because others kept changing the same rows, and rejects with this error: no outage. */
  collided(error: unknown): void
  /** How many such calls there have been. */
  collisions(): number
  /**
   * A call failed and rejects with this error.
   * @param details.effect what it was to do. Default: a write
   * @param details.begins whether it may be the start of an outage; if not, it only belongs to one that is logged.
   * Default `true`
   */
  failed(error: unknown, details?: { effect?: Effect; begins?: boolean }): void
}

/** The part of a logger in use. */
export interface OutageLog {
  error(data: object, text: string): void
  warn(data: object, text: string): void
  info(data: object, text: string): void
}

/**
 * Milliseconds without a failed call after which an outage is over: as long as a call may take by default. An
 * adapter that fails now and then logs one outage, not two lines for each failure.
 */
const quiet = 5_000

/** Each shows that those before it work as well. One that takes, and found nothing, may have read only. */
const effects: readonly Effect[] = ['reads', 'takes', 'writes']

/** Errors of failed calls that a line in the log stands for, and their causes: a copy of the error has the same cause. */
const told = shared('outages', () => new WeakSet<object>())

/** Whether an error belongs to a logged outage, or to logged contention, and so isn't logged again. */
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
        /** The most that a failed call was to do. */
        effect: Effect
        respondedAt?: number
        timer?: NodeJS.Timeout
      }
    | undefined

  let collisions = 0
  const warnOfCollisions = onceAMinute((error: unknown) => {
    const text = `accounts: ${name} gave up a call because others kept changing the same rows`
    log.warn({ adapter: name, givenUp: collisions }, `${text}: ${describeError(error)}`)
  })

  function end(began: number, over: number, failed: number): void {
    current = undefined
    const ms = Math.round(over - began)
    const calls = failed === 1 ? '1 call' : `${failed.toLocaleString('en-US')} calls`
    log.warn(
      { adapter: name, ms, failed },
      `accounts: ${name} is available again after ${spoken(ms)}, ${calls} failed`,
    )
  }

  function responded(effect: Effect = 'writes'): void {
    if (current === undefined || current.respondedAt !== undefined) return
    if (effects.indexOf(effect) < effects.indexOf(current.effect)) return
    const { began, failed } = current
    const respondedAt = performance.now()
    current.respondedAt = respondedAt
    current.timer = setTimeout(() => end(began, respondedAt, failed), quiet).unref()
  }

  return {
    responded,
    collided(error) {
      responded('reads')
      for (const each of withCauses(error)) told.add(each)
      collisions += 1
      warnOfCollisions(error)
    },
    collisions: () => collisions,
    failed(error, { effect = 'writes', begins = true } = {}) {
      if (current === undefined && !begins) return
      for (const each of withCauses(error)) told.add(each)
      if (current === undefined) {
        current = { began: performance.now(), failed: 0, effect }
        log.error({ err: error, adapter: name }, `accounts: ${name} is unavailable: ${describeError(error)}`)
      }
      clearTimeout(current.timer)
      delete current.respondedAt
      current.failed += 1
      if (effects.indexOf(effect) > effects.indexOf(current.effect)) current.effect = effect
    },
  }
}

function spoken(ms: number): string {
  if (ms < 1000) return `${ms} ms`
  const seconds = Math.round(ms / 1000)
  return seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`
}
