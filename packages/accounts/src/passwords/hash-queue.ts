import { AsyncResource } from 'node:async_hooks'
import { onceAMinute } from '../adapters/once-a-minute.js'
import type { OutageLog } from '../adapters/outages.js'
import { AccountsError, BusyError } from '../errors.js'
import type { Client } from '../sessions/client.js'
import { createLane } from './lane.js'

/**
 * Who a password is hashed for. A `known` caller has a session, a valid link or a known device, and goes
 * first, so strangers' guesses can't starve known users. Known callers don't starve strangers either, who may
 * be known people on a new device: one of four hashes is theirs. Known callers of one `account` take turns with those of
 * others, and at most two of them wait. With `isFrequent` they wait with the strangers.
 */
export type Caller = 'stranger' | 'known' | { account: string; isFrequent?: boolean }

/** Who waits for a hash, and may disconnect. */
export type Waiter = Pick<Client, 'isGone' | 'onGone'>

interface Job {
  isKnown: boolean
  /** When it began to wait, in milliseconds of `performance.now()`. */
  since: number
  /** Never rejects. */
  start(): Promise<void>
  leave(error: AccountsError): void
}

/** The maximum number of waiting callers of either kind. */
const maxWaiting = 64
/** The maximum number of waiting callers of one account. */
const maxPerAccount = 2
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

/** The number of hashes after which an earlier one counts little in the estimate. */
const memory = 8

/**
 * Runs a few hashes at a time, and decides which comes next. `Passwords` says what its other functions do.
 * @param concurrency hashes at a time
 * @param log gets a line if callers are rejected because too many wait
 */
export function createHashQueue(concurrency: number, log: Pick<OutageLog, 'warn'>) {
  const strangers = createLane<Job>()
  const regulars = createLane<Job>()
  /**
   * The time of a hash: a moving average, because who waits, waits for the sum of those ahead. Before the first one is
   * done, the one made at start, nobody is rejected for it.
   */
  let estimate = 0
  let measured = 0
  let underWay = 0
  /** Hashes of known callers since a stranger's last one; counts up to `knownInARow`. */
  let knownRow = 0

  /** How many of those waiting go before a new caller. */
  function ahead(isKnown: boolean, account: unknown): number {
    if (isKnown) {
      const insiders = regulars.ahead(account)
      const theirTurns = Math.floor((knownRow + insiders) / knownInARow)
      return insiders + Math.min(strangers.size(), theirTurns)
    }
    const outsiders = strangers.ahead(account)
    const beforeTheTurn = knownInARow * (outsiders + 1) - knownRow
    return outsiders + Math.min(regulars.size(), beforeTheTurn)
  }

  function isFull(isKnown: boolean, account: unknown): boolean {
    if (underWay < concurrency) return false
    const lane = isKnown ? regulars : strangers
    if (lane.size() >= maxWaiting) return true
    // One more goes first: all slots are taken, and one has to become free.
    return ((ahead(isKnown, account) + 1) * estimate) / concurrency >= maxWait
  }

  const everyone = (): Job[] => [...regulars.all(), ...strangers.all()]

  function waiting(): { waiting: number; waitMs: number } {
    const waits = everyone().map(({ since }) => Math.round(performance.now() - since))
    return { waiting: waits.length, waitMs: Math.max(0, ...waits) }
  }

  const warn = onceAMinute(() => {
    const facts = { ...waiting(), hashMs: Math.round(estimate), concurrency }
    const numbers = `${facts.waiting} wait, a hash takes ${facts.hashMs} ms, ${concurrency} at a time`
    log.warn(facts, `accounts: rejected a password that would wait too long to be hashed: ${numbers}`)
  })

  function full(): AccountsError {
    warn()
    return noHash(queueFull)
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
      if (!failed || took > estimate) {
        measured = Math.min(measured + 1, memory)
        estimate += (took - estimate) / measured
      }
    }
  }

  function next(): Job | undefined {
    const strangersTurn = strangers.size() > 0 && (regulars.size() === 0 || knownRow >= knownInARow)
    return strangersTurn ? strangers.next() : regulars.next()
  }

  /** Takes a free slot. @param work never rejects */
  function begin(work: () => Promise<void>, isKnown: boolean): void {
    knownRow = isKnown ? Math.min(knownRow + 1, knownInARow) : 0
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
      begin(job.start, job.isKnown)
    }
  }

  return {
    /**
     * Runs work when its turn comes.
     * @param waiter work not begun when they disconnect never begins
     * @throws AccountsError ACCOUNTS_UNAVAILABLE if it would have to wait too long, has waited too long, or the
     * waiter disconnected before its turn; otherwise what `work` throws
     */
    run: <T>(work: () => Promise<T>, caller: Caller, waiter?: Waiter): Promise<T> =>
      new Promise((resolve, reject) => {
        if (waiter?.isGone()) return reject(noHash(nobodyWaits))
        const isAccount = typeof caller === 'object'
        const isKnown = isAccount ? caller.isFrequent !== true : caller === 'known'
        // Everybody else is an account of their own.
        const account = isAccount ? caller.account : Symbol()
        const lane = isKnown ? regulars : strangers
        if (lane.sizeOf(account) >= maxPerAccount) return reject(noHash(queueFull))
        if (isFull(isKnown, account)) return reject(full())
        let late: NodeJS.Timeout | undefined
        const start = () => {
          clearTimeout(late)
          return measure(work).then(resolve, reject)
        }
        // While a slot is free nobody waits.
        if (underWay < concurrency) return begin(start, isKnown)
        const leave = (error: AccountsError): void => {
          if (lane.delete(account, job)) reject(error)
        }
        // It starts when another request's hash ends, and must not see that request's AsyncLocalStorage.
        const job: Job = {
          isKnown,
          since: performance.now(),
          start: AsyncResource.bind(start),
          leave,
        }
        waiter?.onGone(() => leave(noHash(nobodyWaits)))
        lane.add(account, job)
        late = setTimeout(() => leave(full()), maxWait).unref()
      }),
    admitStranger(): void {
      if (isFull(false, undefined)) throw full()
    },
    drain(timeout: number): void {
      setTimeout(() => {
        for (const job of everyone()) job.leave(noHash(queueFull))
      }, timeout).unref()
    },
    waiting,
  }
}

const queueFull = new BusyError('too many passwords are waiting to be hashed')

/** Why there is no hash: its client is gone. The service has no fault. */
export class ClientGoneError extends Error {
  override readonly name = 'ClientGoneError'
}

const nobodyWaits = new ClientGoneError('the client disconnected before the password was hashed')

function noHash(cause: BusyError | ClientGoneError): AccountsError {
  return new AccountsError('ACCOUNTS_UNAVAILABLE', { cause, retryAfter })
}
