import pRetry from 'p-retry'
import { describeError } from '../adapters/describe-error.js'
import type { MessageQueue, OutboxEntry, PendingMail } from '../seams/outbox.js'
import type { Addressee } from './addressee.js'
import type { Delivery } from './delivery.js'
import type { OutboxClock } from './outbox-clock.js'
import type { Retries } from './retries.js'
import type { RetryPolicy } from './retry-policy.js'

/** An email that this process is handling. */
export interface MailInHand {
  readonly entry: OutboxEntry<PendingMail>
  /** As soon as it is known. */
  userId: string | null
  /** In milliseconds of `performance.now()`, because `Date` may be set back. */
  readonly begunAt: number
  /** Whether no other process can have claimed it. */
  isHeld(): boolean
}

/** Sends one claimed email, drops it if nobody should get it, or puts it back. Never rejects. */
export type HandleMail = (inHand: MailInHand) => Promise<void>

/** The most undeletable emails that are remembered; then the oldest are forgotten. */
const maxRemembered = 10_000

/** @param deps.pollAgain requests a poll of the outbox in so many milliseconds; for the rest see `createPostman` */
export function createMailHandler(deps: {
  outbox: Pick<MessageQueue<PendingMail>, 'add' | 'postpone' | 'remove'>
  clock: Pick<OutboxClock, 'now'>
  policy: Pick<RetryPolicy, 'maxAttempts'>
  delivery: Delivery
  retries: Retries
  pollAgain(delay: number): void
  onTrouble(error: unknown): void
}): HandleMail {
  const { outbox, clock, delivery, retries, pollAgain, onTrouble } = deps
  const { maxAttempts } = deps.policy
  /** Emails that this process is done with, but couldn't delete. */
  const done = new Set<string>()

  async function remove(entry: OutboxEntry<PendingMail>): Promise<void> {
    const [oldest] = done
    if (oldest !== undefined && done.size >= maxRemembered) done.delete(oldest)
    done.add(entry.id)
    try {
      await pRetry(() => outbox.remove(entry), { retries: 5, minTimeout: 500, unref: true })
      done.delete(entry.id)
    } catch (error) {
      onTrouble(error)
      await bury(entry, error).catch(onTrouble)
    }
  }

  /**
   * An email that is done with, and whose row can be changed but not deleted, becomes a dead letter: other processes don't
   * know that it was sent, and `check()` counts it.
   */
  async function bury(entry: OutboxEntry<PendingMail>, reason: unknown): Promise<void> {
    const error = `it was handled, but can't be deleted: ${describeError(reason)}`
    await outbox.postpone(entry, { dueAt: null, attempts: entry.attempts, error })
    // If it is retried by hand, it is to be sent.
    done.delete(entry.id)
  }

  return async (inHand) => {
    const { entry } = inHand
    const { id, message: mail, attempts } = entry
    if (done.has(id)) return remove(entry)
    let to: Addressee | null = null
    // The budget is spent before the first attempt, and never again.
    let isCounted = attempts > 1
    try {
      const heldUntil = mail.heldUntil ? new Date(mail.heldUntil) : null
      if (heldUntil !== null && heldUntil.getTime() > clock.now()) {
        const error = 'held back: too many of its kind'
        await outbox.postpone(entry, { dueAt: heldUntil, attempts: 0, error })
        return
      }
      to = await delivery.addressee(mail)
      inHand.userId = to?.user.id || mail.userId
      // Every attempt ends its claim, unless the process dies.
      if (to !== null && attempts > maxAttempts)
        throw new Error(`it was taken ${maxAttempts} times and never returned`)
      const verdict = to === null ? 'drop' : isCounted ? 'send' : await delivery.decide(mail, to)
      isCounted = true
      retries.noteDecided(id)
      if (typeof verdict === 'object') {
        // It replaces those after it. It is due at once, but the next claim puts it off.
        await outbox.add([{ ...mail, heldUntil: verdict.holdUntil.toISOString() }])
        pollAgain(0)
      }
      // After a stall longer than the lease, another process has claimed it.
      if (!inHand.isHeld()) return
      if (to !== null && verdict === 'send' && (await delivery.send(entry, to))) retries.noteAccepted()
      await remove(entry)
    } catch (error) {
      await retries.putBack({ entry, to, isCounted }, error).catch(onTrouble)
    }
  }
}
