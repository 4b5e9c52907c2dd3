import pRetry from 'p-retry'
import { describeError } from '../adapters/describe-error.js'
import type { MailKind } from '../seams/mailer.js'
import type { MailQueue, OutboxEntry } from '../seams/outbox.js'
import { InvalidArgumentError } from '../seams/store-errors.js'
import type { Addressee, Delivery } from './delivery.js'
import type { HeldNotices } from './held-notices.js'
import type { KeptClaim } from './kept-claim.js'
import type { Refusals } from './refusals.js'
import { ageAt, pauseAfter } from './retry-policy.js'

/** A mail that was given up. */
export interface MailFailure {
  kind: MailKind
  /** `null` where it was not looked up yet. */
  userId: string | null
  error: unknown
}

/** Sends one mail that was claimed, finds out that nobody is to get it, or puts it back. Never throws. */
export type HandleMail = (entry: OutboxEntry, claim: Pick<KeptClaim, 'isHeld'>) => Promise<void>

/** With more of these all are forgotten: the mails may have become those of another process. */
const maxObstacles = 1000

/** A refused address is tried once more, after so many milliseconds at the least: by then it shows who refuses. */
const refusalPause = 60_000

/**
 * @param deps.isLasting whether the outbox outlives the process
 * @param deps.onAddressee told whose mail it is, as soon as that is known
 * @param deps.lookAgain asked for a look at the outbox, in so many milliseconds; 0 is once this mail is out of hand
 * @param deps.onDelay told of the first try that fails, where the last one may be a day away
 */
export function createMailHandler(deps: {
  outbox: MailQueue
  isLasting: boolean
  maxAttempts: number
  delivery: Delivery
  refusals: Refusals
  held: HeldNotices
  onAddressee(id: string, userId: string | null): void
  lookAgain(delay: number): void
  onFailure(failure: MailFailure): void
  onDelay(failure: MailFailure): void
  onTrouble(error: unknown): void
}): HandleMail {
  const { outbox, isLasting, maxAttempts, delivery, refusals, held } = deps
  const { onAddressee, lookAgain, onFailure, onDelay, onTrouble } = deps
  /** How often it could not even be found out whether a mail may go out. A process that comes after begins anew. */
  const obstacles = new Map<string, number>()

  async function putBack(
    { entry, to, isCounted }: { entry: OutboxEntry; to: Addressee | null; isCounted: boolean },
    error: unknown,
  ): Promise<void> {
    const { id, mail, tries } = entry
    const failures = isCounted ? tries : (obstacles.get(id) ?? 0) + 1
    const isRefused = error instanceof InvalidArgumentError
    // In memory there is no time to wait and see.
    if (isRefused && isLasting && to !== null) refusals.noteRefused(to.address, error)
    const isBelieved = isRefused && (!isLasting || to === null || (tries > 1 && !refusals.isEverybody()))
    const isOver = isBelieved || failures >= maxAttempts
    const pause = Math.max(pauseAfter(failures), isRefused ? refusalPause : 0)
    if (obstacles.size >= maxObstacles) obstacles.clear()
    if (isOver) obstacles.delete(id)
    else if (!isCounted) obstacles.set(id, failures)
    const isOurs = await outbox.postpone(entry, {
      dueAt: isOver ? null : new Date(Date.now() + pause),
      tries: isCounted ? tries : 0,
      error: describeError(error),
    })
    // A timer may be a little early.
    if (!isOver) lookAgain(pause + 10)
    const failure = { kind: mail.kind, userId: to?.user.id ?? mail.userId, error }
    if (!isOver && isLasting && failures === 1) onDelay(failure)
    if (!isOver || !isOurs) return
    // It has reached nobody.
    if (to !== null && isCounted) await delivery.giveBack(mail, to, ageAt(tries)).catch(() => {})
    onFailure(failure)
  }

  return async (entry, claim) => {
    const { id, mail, tries } = entry
    let to: Addressee | null = null
    // The budget is spent before the first try, and never again.
    let isCounted = tries > 1
    try {
      const heldUntil = mail.heldUntil ? new Date(mail.heldUntil) : null
      if (heldUntil !== null && heldUntil.getTime() > Date.now()) {
        await outbox.postpone(entry, { dueAt: heldUntil, tries: 0, error: 'held back: too many of its kind' })
        return
      }
      to = await delivery.addressee(mail)
      onAddressee(id, to?.user.id ?? mail.userId)
      // Every try has ended its claim, but those in which the process died.
      if (to !== null && tries > maxAttempts)
        throw new Error(`it was taken ${maxAttempts} times and never returned`)
      const verdict = to === null ? 'drop' : isCounted ? 'send' : await delivery.decide(mail, to)
      isCounted = true
      obstacles.delete(id)
      if (typeof verdict === 'object') {
        await held.hold(mail, verdict.holdUntil)
        if (isLasting) lookAgain(0)
      }
      // Who stood still for longer than the lease has been overtaken.
      if (!claim.isHeld()) return
      if (to !== null && verdict === 'send') {
        if (await delivery.send(entry, to)) refusals.noteAccepted()
      }
      // It is sent, and would be sent again if it stayed.
      await pRetry(() => outbox.remove(entry), { retries: 5, minTimeout: 500, unref: true }).catch(onTrouble)
    } catch (error) {
      await putBack({ entry, to, isCounted }, error).catch(onTrouble)
    }
  }
}
