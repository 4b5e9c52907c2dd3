import { AsyncResource } from 'node:async_hooks'
import { type AccountsError, refusal } from '../errors.js'
import { createHashTimes } from './hash-times.js'

/**
 * Who a password is hashed for. A `known` caller has a session, a valid link or a known device, and goes
 * first, so strangers' guesses can't starve known users. Known callers don't starve strangers either, who may
 * be known people on a new device: one of four hashes is theirs.
 */
export type Caller = 'stranger' | 'known'

/** A client that waits for a hash and may disconnect. */
export interface Client {
  isGone(): boolean
  /** @param listener called when that happens, even if too late to matter */
  onGone(listener: () => void): void
}

/** Runs a few hashes at a time, and decides which comes next. */
export interface HashQueue {
  /**
   * Runs work when its turn comes.
   * @param client who waits for the result; work not begun when they disconnect never begins
   * @throws AccountsError ACCOUNTS_UNAVAILABLE if it would have to wait too long, has waited too long, or the
   * client disconnected before its turn; otherwise what `work` throws
   */
  run<T>(work: () => Promise<T>, caller: Caller, client?: Client): Promise<T>
  /**
   * Rejects a caller that `run` would reject now, so no work is done for them first.
   * @throws AccountsError ACCOUNTS_UNAVAILABLE
   */
  admit(caller: Caller): void
  /** For shutdown: what hasn't begun in so many milliseconds is rejected, rather than cut off with its connection. */
  drain(timeout: number): void
  /** How many wait, and how long the longest has waited, in milliseconds. */
  waiting(): { waiting: number; waitMs: number }
}

interface Job {
  caller: Caller
  /** When it began to wait, by the monotonic clock. */
  since: number
  /** Never rejects. */
  start(): Promise<void>
  refuse(): void
}

/** The maximum number of waiting callers of either kind. */
const maxWaiting = 64
/**
 * The maximum wait in milliseconds. Callers who would wait longer are rejected at once, or after this time if
 * the estimate was wrong. People and proxies give up soon after, and a hash for a client that has gone is
 * lost for those who are there.
 */
const maxWait = 8_000
/** Seconds after which a rejected client may retry. */
const retryAfter = 5
/** While strangers wait, they get one hash after so many of known callers: a quarter of all. */
const knownInARow = 3

/** @param concurrency hashes at a time */
export function createHashQueue(concurrency: number): HashQueue {
  const strangers = new Set<Job>()
  const known = new Set<Job>()
  const waiting: Record<Caller, Set<Job>> = { stranger: strangers, known }
  const times = createHashTimes()
  let underWay = 0
  let clock: NodeJS.Timeout | undefined
  /** Hashes of known callers since a stranger's last one; counts up to `knownInARow`. */
  let knownRow = 0

  /** How many of those waiting go before a new caller. */
  function ahead(caller: Caller): number {
    if (caller === 'known') {
      const theirTurns = Math.floor((knownRow + known.size) / knownInARow)
      return known.size + Math.min(strangers.size, theirTurns)
    }
    const beforeTheTurn = knownInARow * (strangers.size + 1) - knownRow
    return strangers.size + Math.min(known.size, beforeTheTurn)
  }

  function mustRefuse(caller: Caller): boolean {
    if (underWay < concurrency) return false
    // One more goes first: all slots are taken, and one has to become free.
    const wait = ((ahead(caller) + 1) * times.estimate()) / concurrency
    return waiting[caller].size >= maxWaiting || wait >= maxWait
  }

  function next(): Job | undefined {
    const strangersTurn = strangers.size > 0 && (known.size === 0 || knownRow >= knownInARow)
    const lane = strangersTurn ? strangers : known
    const [job] = lane
    if (job === undefined) return undefined
    lane.delete(job)
    return job
  }

  /** Takes a free slot. @param work never rejects */
  function begin(work: () => Promise<void>, caller: Caller): void {
    knownRow = caller === 'stranger' ? 0 : Math.min(knownRow + 1, knownInARow)
    underWay += 1
    work().finally(() => {
      underWay -= 1
      startWaiting()
    })
  }

  function startWaiting(): void {
    while (underWay < concurrency) {
      const job = next()
      if (job === undefined) return
      begin(job.start, job.caller)
    }
  }

  /** Since when the longest wait lasts. Each kind is in order of arrival. */
  function oldest(): number | undefined {
    const since = [known, strangers].flatMap(([first]) => (first === undefined ? [] : [first.since]))
    return since.length === 0 ? undefined : Math.min(...since)
  }

  /** One timer for all: it rejects those who have waited for `maxWait`. */
  function watch(): void {
    const since = oldest()
    if (clock !== undefined || since === undefined) return
    // By the clock that also measures hashes, because a timer may fire early.
    const left = Math.max(0, Math.ceil(since + maxWait - performance.now()))
    clock = setTimeout(() => {
      clock = undefined
      const end = performance.now() - maxWait
      for (const job of [...known, ...strangers]) if (job.since <= end) job.refuse()
      watch()
    }, left).unref()
  }

  return {
    run: (work, caller, client) =>
      new Promise((resolve, reject) => {
        if (client?.isGone()) return reject(clientGone())
        if (mustRefuse(caller)) return reject(tooMany())
        const start = () => times.measure(work).then(resolve, reject)
        // While a slot is free nobody waits.
        if (underWay < concurrency) return begin(start, caller)
        const lane = waiting[caller]
        const leave = (error: AccountsError): void => {
          if (lane.delete(job)) reject(error)
        }
        // It starts when another request's hash ends, and must not see that request's AsyncLocalStorage.
        const job: Job = {
          ...{ caller, since: performance.now(), start: AsyncResource.bind(start) },
          refuse: () => leave(tooMany()),
        }
        client?.onGone(() => leave(clientGone()))
        lane.add(job)
        watch()
      }),
    admit(caller) {
      if (mustRefuse(caller)) throw tooMany()
    },
    drain(timeout) {
      setTimeout(() => {
        for (const job of [...known, ...strangers]) job.refuse()
      }, timeout).unref()
    },
    waiting() {
      const since = oldest()
      const waitMs = since === undefined ? 0 : Math.round(performance.now() - since)
      return { waiting: known.size + strangers.size, waitMs }
    },
  }
}

/** Why there is no hash: others have to be made first. Nothing has failed. */
export class QueueFullError extends Error {
  override readonly name = 'QueueFullError'
}

const queueFull = new QueueFullError('too many passwords are waiting to be hashed')

function tooMany(): AccountsError {
  return refusal('ACCOUNTS_UNAVAILABLE', { cause: queueFull, retryAfter })
}

/** Why there is no hash: its client is gone. The service has no fault. */
export class ClientGoneError extends Error {
  override readonly name = 'ClientGoneError'
}

const nobodyWaits = new ClientGoneError('the client disconnected before the password was hashed')

function clientGone(): AccountsError {
  return refusal('ACCOUNTS_UNAVAILABLE', { cause: nobodyWaits, retryAfter })
}
