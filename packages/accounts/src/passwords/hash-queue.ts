import { type AccountsError, refusal } from '../errors.js'
import { createHashTimes } from './hash-times.js'

/**
 * For whom a password is hashed. Who is `known` has a session, a live link or a known device, and goes first: the
 * guesses of strangers, however many, starve nobody who belongs. Nor do those who belong starve strangers, who may be
 * known people on a new device: one of four hashes is theirs.
 */
export type Caller = 'stranger' | 'known'

/** Who waits for a hash, and may go away. */
export interface Client {
  isGone(): boolean
  /** @param listener called when that happens, be it too late to matter */
  onGone(listener: () => void): void
}

/** Has hashes made a few at a time, and decides who comes next. */
export interface HashQueue {
  /**
   * Does a piece of work when its turn comes.
   * @param client who waits for the result; work that was not begun when they go never is
   * @throws AccountsError ACCOUNTS_UNAVAILABLE where it would have to wait too long, has waited too long, or the client
   * has gone before its turn; else what `work` throws
   */
  run<T>(work: () => Promise<T>, caller: Caller, client?: Client): Promise<T>
  /**
   * Refuses a caller whom `run` would refuse now, so that no work is done for them before.
   * @throws AccountsError ACCOUNTS_UNAVAILABLE
   */
  admit(caller: Caller): void
  /** The process ends: what has not begun in so many milliseconds is refused, rather than cut off with its connection. */
  drain(timeout: number): void
  /** How many wait for their turn, and how long the one who waits longest has waited, in milliseconds. */
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

/** How many of either kind may wait at the most. */
const maxWaiting = 64
/**
 * How long anybody waits for a turn, in milliseconds. Whoever would wait longer is told so at once, and where the
 * estimate was wrong, now. People and proxies give up not long after, and a hash for somebody who has gone is lost for
 * those who are there.
 */
const maxWait = 8_000
/** Seconds after which a client that was refused may try again. */
const retryAfter = 5
/** While strangers wait, one hash after so many of known callers is theirs: a quarter of all. */
const knownInARow = 3

/** @param concurrency hashes at a time */
export function createHashQueue(concurrency: number): HashQueue {
  const strangers = new Set<Job>()
  const known = new Set<Job>()
  const waiting: Record<Caller, Set<Job>> = { stranger: strangers, known }
  const times = createHashTimes()
  let underWay = 0
  let clock: NodeJS.Timeout | undefined
  /** Hashes of known callers since the last one of a stranger; no more than `knownInARow` matter. */
  let knownRow = 0

  /** How many of those who are here go before one who comes now. */
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
    // One more than go first: the slots are taken, and one has to become free.
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

  /** Since when whoever waits longest has waited. Each kind waits in the order in which they came. */
  function oldest(): number | undefined {
    const since = [known, strangers].flatMap(([first]) => (first === undefined ? [] : [first.since]))
    return since.length === 0 ? undefined : Math.min(...since)
  }

  /** One timer for all who wait: it refuses those who have waited for `maxWait`. */
  function watch(): void {
    const since = oldest()
    if (clock !== undefined || since === undefined) return
    // By the clock that measures hashes too: a timer may come early.
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
        const job: Job = { caller, since: performance.now(), start, refuse: () => leave(tooMany()) }
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

/** Why there is no hash: it would have been for nobody. Nothing is wrong with the service. */
export class ClientGoneError extends Error {
  override readonly name = 'ClientGoneError'
}

const nobodyWaits = new ClientGoneError('the client disconnected before the password was hashed')

function clientGone(): AccountsError {
  return refusal('ACCOUNTS_UNAVAILABLE', { cause: nobodyWaits, retryAfter })
}
