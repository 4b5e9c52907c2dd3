import pRetry from 'p-retry'
import { describeError } from '../adapters/describe-error.js'
import type { MailKind } from '../seams/mailer.js'
import type { MailQueue, OutboxEntry, PendingMail } from '../seams/outbox.js'
import { InvalidArgumentError } from '../seams/store-errors.js'
import type { Addressee, Delivery } from './delivery.js'
import { type KeptClaim, keepClaim } from './kept-claim.js'
import { watchRefusals } from './refusals.js'
import { ageAt, pauseAfter, retryPolicy } from './retry-policy.js'
import { wakeDelay } from './wake-delay.js'

/** Takes mails out of the outbox, and delivers them. */
export interface Postman {
  /** Has it look soon, after a random delay: there is a mail. */
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

/** How often a process looks for what others have left, in milliseconds, more or less. */
const lookInterval = 5_000

/** A refused address is tried once more, after so many milliseconds at the least: by then it shows who refuses. */
const refusalPause = 60_000

/** The longest delay that a timer can have. */
const longestTimer = 2 ** 31 - 1

/**
 * @param deps.realm the mount whose mails these are
 * @param deps.isLasting whether the outbox outlives the process, and others may take from it
 * @param deps.lease milliseconds that a claim lasts. It is renewed each third of that while the mail is in hand: if the
 * process dies, another one takes the mail up after the lease
 * @param deps.onDelay told of the first try that fails, where the last one may be a day away
 * @param deps.onTrouble told once, when the outbox cannot be asked any more
 * @param deps.onRefusals told once when the mail server begins to refuse everybody, with the last refusal, and once
 * when it accepts a mail again, with `null`
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
  onRefusals(error: unknown): void
}): Postman {
  const { outbox, realm, isLasting, delivery, lease, onFailure, onDelay, onTrouble, onRefusals } = deps
  const { maxWaiting, maxTries } = isLasting ? retryPolicy.lasting : retryPolicy.passing
  /** Mails in the hands of this process: whose each is, as soon as that is known. */
  const underWay = new Map<string, string | null>()
  /** How often it could not even be found out whether a mail may go out. A process that comes after begins anew. */
  const obstacles = new Map<string, number>()
  const refusals = watchRefusals(onRefusals)
  /** In memory, the notices that are held back; what lasts is kept in the outbox. */
  const held = new Map<PendingMail, NodeJS.Timeout>()
  const backlog = { size: 0, askedAt: 0 }
  /** How many more claims there may be. */
  let claimsLeft = Number.POSITIVE_INFINITY
  let isLooking = false
  /** Whether somebody has asked for a look, or there is more than could be taken. */
  let isWanted = false
  let isInTrouble = false
  /** Whether a look is due for what was just posted. */
  let isWoken = false
  let timer: NodeJS.Timeout | undefined
  /** When the timer fires; never in the past, or nobody could set it again. */
  let lookAt = Number.POSITIVE_INFINITY
  let onChange = (): void => {}

  /** Takes what is due, as much as there are hands. Asked while it looks, it looks once more. */
  async function takeDue(): Promise<void> {
    isWanted = true
    isWoken = false
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
          void handle(entry, keepClaim({ outbox, entry, lease, until, onTrouble }))
        }
        // Where everybody is refused, a few at each look are enough.
        if (entries.length === limit && !refusals.isEverybody()) isWanted = true
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

  /** Sends one mail, or finds out that nobody is to get it. */
  async function handle(entry: OutboxEntry, claim: KeptClaim): Promise<void> {
    const { id, mail, tries } = entry
    let to: Addressee | null = null
    // The budget is spent before the first try, and never again.
    let isCounted = tries > 1
    try {
      const heldUntil = mail.heldUntil ? new Date(mail.heldUntil) : null
      if (heldUntil !== null && heldUntil.getTime() > Date.now()) {
        await outbox.postpone(entry, { dueAt: heldUntil, tries: 0, error: 'held back: too many of its kind' })
      } else {
        to = await delivery.addressee(mail)
        underWay.set(id, to?.user.id ?? mail.userId)
        // Every try has ended its claim, but those in which the process died.
        if (to !== null && tries > maxTries)
          throw new Error(`it was taken ${maxTries} times, and never put back`)
        const verdict = to === null ? 'drop' : isCounted ? 'send' : await delivery.decide(mail, to)
        isCounted = true
        obstacles.delete(id)
        if (typeof verdict === 'object') await holdBack(mail, verdict.holdUntil)
        // Who stood still for longer than the lease has been overtaken.
        if (claim.isHeld()) {
          if (to !== null && verdict === 'send') {
            await delivery.send(entry, to)
            refusals.noteAccepted()
          }
          // It is sent, and would be sent again if it stayed.
          await pRetry(() => outbox.remove(entry), { retries: 5, minTimeout: 500, unref: true }).catch(
            onTrouble,
          )
        }
      }
    } catch (error) {
      await putBack(entry, to, isCounted, error).catch(onTrouble)
    }
    claim.stop()
    underWay.delete(id)
    if (isWanted) await takeDue()
    onChange()
  }

  /** Keeps a notice for later, as one that replaces those after it. */
  async function holdBack(mail: PendingMail, until: Date): Promise<void> {
    const later = { ...mail, heldUntil: until.toISOString() }
    if (isLasting) {
      await outbox.add([later])
      isWanted = true
    } else {
      const release = async (): Promise<void> => {
        held.delete(later)
        await outbox.add([later])
        await takeDue()
      }
      const delay = Math.min(until.getTime() - Date.now(), longestTimer)
      held.set(later, setTimeout(release, delay).unref())
    }
  }

  async function putBack(
    entry: OutboxEntry,
    to: Addressee | null,
    isCounted: boolean,
    error: unknown,
  ): Promise<void> {
    const { id, mail, tries } = entry
    const failures = isCounted ? tries : (obstacles.get(id) ?? 0) + 1
    const isRefused = error instanceof InvalidArgumentError
    // In memory there is no time to wait and see.
    if (isRefused && isLasting && to !== null) refusals.noteRefused(to.address, error)
    const isBelieved = isRefused && (!isLasting || to === null || (tries > 1 && !refusals.isEverybody()))
    const isOver = isBelieved || failures >= maxTries
    const pause = Math.max(pauseAfter(failures), isRefused ? refusalPause : 0)
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
      if (isWoken) return
      isWoken = true
      const { min, max } = wakeDelay
      if (refusals.isEverybody()) lookWithin(lookInterval)
      else if (max === 0) setImmediate(takeDue)
      else lookWithin(min + Math.random() * (max - min))
    },

    async refusal() {
      const waiting = isLasting ? backlog.size : (await outbox.count()).waiting + held.size
      return waiting >= maxWaiting ? new Error(`more than ${maxWaiting} mails wait`) : null
    },

    start() {
      if (isLasting) setImmediate(takeDue)
    },

    async drain(timeout) {
      if (isLasting) claimsLeft = 1
      // There is no later.
      const now = new Date().toISOString()
      for (const [mail, each] of held) {
        clearTimeout(each)
        await outbox.add([{ ...mail, heldUntil: now }])
      }
      held.clear()
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
