import type { MailQueue, OutboxEntry } from '../seams/outbox.js'
import type { Delivery } from './delivery.js'
import { createMailHandler, type MailFailure } from './handle-mail.js'
import { createHeldNotices } from './held-notices.js'
import { type KeptClaim, keepClaim } from './kept-claim.js'
import { watchRefusals } from './refusals.js'
import { retryPolicy } from './retry-policy.js'
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

const concurrency = 5

/** How often a process looks for what others have left, in milliseconds, more or less. */
const lookInterval = 5_000

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
  const { outbox, realm, isLasting, lease, onFailure, onTrouble } = deps
  const { maxWaiting, maxAttempts } = isLasting ? retryPolicy.lasting : retryPolicy.passing
  /** Mails in the hands of this process: whose each is, as soon as that is known. */
  const underWay = new Map<string, string | null>()
  const refusals = watchRefusals(deps.onRefusals)
  const held = createHeldNotices({ outbox, isLasting, onDue: takeDue })
  const handle = createMailHandler({
    ...deps,
    ...{ maxAttempts, refusals, held, lookAgain },
    onAddressee: (id, userId) => underWay.set(id, userId),
  })
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
          void takeInHand(entry, keepClaim({ outbox, entry, lease, until, onTrouble }))
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

  function lookAgain(delay: number): void {
    if (delay === 0) isWanted = true
    else if (isLasting) lookWithin(delay)
    // In memory each mail has its own timer.
    else setTimeout(takeDue, delay).unref()
  }

  async function takeInHand(entry: OutboxEntry, claim: KeptClaim): Promise<void> {
    await handle(entry, claim)
    claim.stop()
    underWay.delete(entry.id)
    if (isWanted) await takeDue()
    onChange()
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
      const waiting = isLasting ? backlog.size : (await outbox.count()).waiting + held.size()
      return waiting >= maxWaiting ? new Error(`more than ${maxWaiting} mails wait`) : null
    },

    start() {
      if (isLasting) setImmediate(takeDue)
    },

    async drain(timeout) {
      if (isLasting) claimsLeft = 1
      await held.release()
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
      const error = new Error('the app closed before the email was sent')
      const ever = new Date(8.64e15)
      for (const entry of await outbox.claim({ realm, now: ever, until: ever, limit: maxWaiting * 2 })) {
        const { kind, userId } = entry.mail
        await outbox.remove(entry)
        onFailure({ kind, userId: underWay.get(entry.id) ?? userId, error })
      }
    },
  }
}
