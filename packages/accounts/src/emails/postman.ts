import pRetry from 'p-retry'
import { describeError } from '../adapters/describe-error.js'
import type { MailKind } from '../seams/mailer.js'
import type { MailQueue, OutboxEntry } from '../seams/outbox.js'
import { InvalidArgumentError } from '../seams/store-errors.js'
import type { Addressee, Delivery } from './delivery.js'

/** Takes mails out of the outbox, and delivers them. */
export interface Postman {
  /** Has it look soon: there is a mail. */
  wake(): void
  /** Why no further mail is taken; `null` where there is room. */
  refusal(): Promise<Error | null>
  /** Looks for mails that others have left, and from now on again and again, where others can leave any. */
  start(): void
  /**
   * Delivers what is under way, and what was just posted, at most so many milliseconds. What is in memory only is
   * tried again meanwhile, and reported as failed then; what lasts is left to others.
   */
  drain(timeout: number): Promise<void>
}

/** A mail that was given up. */
export interface MailFailure {
  kind: MailKind
  /** `null` where it was not looked up yet. */
  userId: string | null
  error: unknown
}

const concurrency = 5

/** With more of these all are forgotten: the mails may have become those of another process. */
const maxObstacles = 1000

/**
 * The pause after a try, in milliseconds: half a second, then twice as long each time, up to an hour; between half of
 * that and all of it ("equal jitter" in "Exponential Backoff And Jitter", AWS Architecture Blog, 2015), so that what
 * failed together is not tried together.
 */
function pauseAfter(tries: number): number {
  return longestPause(tries) * (0.5 + Math.random() / 2)
}

function longestPause(tries: number): number {
  return Math.min(3_600_000, 500 * 2 ** Math.max(0, tries - 1))
}

/** Milliseconds between the first try and this one, at the most. */
function ageAt(tries: number): number {
  return Array.from({ length: tries - 1 }, (_, at) => longestPause(at + 1)).reduce(
    (sum, each) => sum + each,
    0,
  )
}

/** How much each kind of outbox is asked to hold, and how long it is tried. */
const retryPolicy = {
  /** A thousand mails mean that the mail server is gone; three pauses of seconds, since none outlives the process. */
  passing: { maxWaiting: 1000, maxTries: 4 },
  /**
   * About a day: thirteen pauses up to an hour, and then one of each hour. RFC 5321, 4.5.4.1 gives up after four days
   * or five; but what these mails ask for is of the day.
   */
  lasting: { maxWaiting: 100_000, maxTries: 40 },
}

/** How often a process looks for what others have left, in milliseconds, more or less. */
const lookInterval = 5_000

/**
 * @param deps.realm the mount whose mails these are
 * @param deps.isLasting whether the outbox outlives the process, and others may take from it
 * @param deps.lease milliseconds that a try may take: if the process dies, another takes the mail up after that
 * @param deps.onDelay told of the first try that fails, where the last one may be a day away
 * @param deps.onTrouble told once, when the outbox cannot be asked any more
 */
export function createPostman(deps: {
  outbox: MailQueue
  realm: string
  isLasting: boolean
  delivery: Delivery
  lease: number
  onFailure(failure: MailFailure): void
  onDelay(failure: MailFailure): void
  onTrouble(error: unknown): void
}): Postman {
  const { outbox, realm, isLasting, delivery, lease, onFailure, onDelay, onTrouble } = deps
  const { maxWaiting, maxTries } = isLasting ? retryPolicy.lasting : retryPolicy.passing
  /** Mails in the hands of this process: whose each is, as soon as that is known. */
  const underWay = new Map<string, string | null>()
  /** How often it could not even be found out whether a mail may go out. A process that comes after begins anew. */
  const obstacles = new Map<string, number>()
  const backlog = { size: 0, askedAt: 0 }
  /** How many more claims there may be. */
  let claimsLeft = Number.POSITIVE_INFINITY
  let isLooking = false
  /** Whether somebody has asked for a look, or there is more than could be taken. */
  let isWanted = false
  let isInTrouble = false
  let timer: NodeJS.Timeout | undefined
  /** When the timer fires; never in the past, or nobody could set it again. */
  let lookAt = Number.POSITIVE_INFINITY
  let onChange = (): void => {}

  /** Takes what is due, as much as there are hands. Asked while it looks, it looks once more. */
  async function takeDue(): Promise<void> {
    isWanted = true
    if (isLooking) return
    isLooking = true
    try {
      while (isWanted && claimsLeft > 0 && underWay.size < concurrency) {
        isWanted = false
        claimsLeft -= 1
        const limit = concurrency - underWay.size
        const now = Date.now()
        const until = new Date(now + lease)
        const entries = await outbox.claim({ realm, now: new Date(now), until, limit })
        for (const entry of entries) {
          underWay.set(entry.id, entry.mail.userId)
          void handle(entry)
        }
        if (entries.length === limit) isWanted = true
        if (isWanted || backlog.size >= maxWaiting) await measure(now)
      }
      isInTrouble = false
    } catch (error) {
      if (!isInTrouble) onTrouble(error)
      isInTrouble = true
    } finally {
      isLooking = false
    }
    // In memory nobody else leaves any; but a clock may have been put back.
    if (isLasting || (await outbox.count()).waiting > underWay.size) {
      lookWithin(lookInterval * (0.8 + 0.4 * Math.random()))
    }
    onChange()
  }

  /** How much waits, where that may be much; not at every look, since counting takes time. */
  async function measure(now: number): Promise<void> {
    if (!isLasting || Math.abs(now - backlog.askedAt) < lookInterval) return
    backlog.askedAt = now
    backlog.size = (await outbox.count()).waiting
  }

  function lookWithin(delay: number): void {
    const at = Date.now() + delay
    if (claimsLeft === 0 || at >= lookAt) return
    lookAt = at
    clearTimeout(timer)
    timer = setTimeout(() => {
      lookAt = Number.POSITIVE_INFINITY
      void takeDue()
    }, delay)
    timer.unref()
  }

  async function handle(entry: OutboxEntry): Promise<void> {
    const { id, mail, tries } = entry
    let to: Addressee | null = null
    // The budget is spent before the first try, and never again.
    let isCounted = tries > 1
    try {
      to = await delivery.addressee(mail)
      underWay.set(id, to?.user.id ?? mail.userId)
      // Every try has ended its claim, but those in which the process died.
      if (to !== null && tries > maxTries)
        throw new Error(`it was taken ${maxTries} times, and never put back`)
      const isAllowed = to !== null && (isCounted || (await delivery.allows(mail, to)))
      isCounted = true
      obstacles.delete(id)
      if (to !== null && isAllowed) await delivery.send(mail, to)
      // It is sent, and would be sent again if it stayed.
      await pRetry(() => outbox.remove(entry), { retries: 5, minTimeout: 500, unref: true }).catch(onTrouble)
    } catch (error) {
      await putBack(entry, to, isCounted, error).catch(onTrouble)
    }
    underWay.delete(id)
    if (isWanted) await takeDue()
    onChange()
  }

  async function putBack(
    entry: OutboxEntry,
    to: Addressee | null,
    isCounted: boolean,
    error: unknown,
  ): Promise<void> {
    const { id, mail, tries } = entry
    const failures = isCounted ? tries : (obstacles.get(id) ?? 0) + 1
    const isOver = error instanceof InvalidArgumentError || failures >= maxTries
    const pause = pauseAfter(failures)
    if (obstacles.size >= maxObstacles) obstacles.clear()
    if (isOver) obstacles.delete(id)
    else if (!isCounted) obstacles.set(id, failures)
    const isOurs = await outbox.postpone(entry, {
      dueAt: isOver ? null : new Date(Date.now() + pause),
      tries: isCounted ? tries : 0,
      error: describeError(error),
    })
    // A timer may be a little early. In memory each mail has its own; what lasts waits for the next look at the most.
    if (!isOver && isLasting) lookWithin(pause + 10)
    else if (!isOver) setTimeout(takeDue, pause + 10).unref()
    const failure = { kind: mail.kind, userId: to?.user.id ?? mail.userId, error }
    if (!isOver && isLasting && failures === 1) onDelay(failure)
    if (!isOver || !isOurs) return
    // It has reached nobody.
    if (to !== null && isCounted) await delivery.giveBack(mail, to, ageAt(tries)).catch(() => {})
    onFailure(failure)
  }

  /** What is in memory waits for its next try too; what lasts is somebody else's then. */
  async function isDone(): Promise<boolean> {
    if (isLooking || underWay.size > 0) return false
    return isLasting || (await outbox.count()).waiting === 0
  }

  return {
    wake() {
      setImmediate(takeDue)
    },

    async refusal() {
      const waiting = isLasting ? backlog.size : (await outbox.count()).waiting
      return waiting >= maxWaiting ? new Error(`more than ${maxWaiting} mails wait`) : null
    },

    start() {
      if (isLasting) setImmediate(takeDue)
    },

    async drain(timeout) {
      if (isLasting) claimsLeft = 1
      let late: NodeJS.Timeout | undefined
      let isLate = false
      const end = new Promise<void>((resolve) => {
        late = setTimeout(() => {
          isLate = true
          resolve()
        }, timeout)
      })
      void takeDue()
      while (!isLate) {
        const change = new Promise<void>((resolve) => {
          onChange = resolve
        })
        if (await isDone()) break
        await Promise.race([change, end])
      }
      clearTimeout(late)
      clearTimeout(timer)
      claimsLeft = 0
      if (isLasting) return
      const error = new Error('the app was closed before the mail was handed over')
      const ever = new Date(8.64e15)
      for (const entry of await outbox.claim({ realm, now: ever, until: ever, limit: maxWaiting * 2 })) {
        const { kind, userId } = entry.mail
        await outbox.remove(entry)
        onFailure({ kind, userId: underWay.get(entry.id) ?? userId, error })
      }
    },
  }
}
