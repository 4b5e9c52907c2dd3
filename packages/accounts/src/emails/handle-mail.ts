import type { HandleMessage } from '../outbox/claimer.js'
import type { OutboxClock } from '../outbox/outbox-clock.js'
import type { Remover } from '../outbox/remover.js'
import type { RetryPolicy } from '../outbox/retry-policy.js'
import type { MessageQueue, PendingMail } from '../seams/outbox.js'
import type { Addressee } from './addressee.js'
import type { Delivery } from './delivery.js'
import type { Retries } from './retries.js'

/**
 * Sends one claimed email, drops it if nobody should get it, or puts it back.
 * @param deps.pollAgain requests a poll of the outbox in so many milliseconds; for the rest see `createPostman`
 */
export function createMailHandler(deps: {
  outbox: Pick<MessageQueue<PendingMail>, 'add' | 'postpone'>
  clock: Pick<OutboxClock, 'now'>
  policy: Pick<RetryPolicy, 'maxAttempts'>
  remover: Remover
  delivery: Delivery
  retries: Retries
  pollAgain(delay: number): void
  onTrouble(error: unknown): void
}): HandleMessage<PendingMail> {
  const { outbox, clock, remover, delivery, retries, pollAgain, onTrouble } = deps
  const { maxAttempts } = deps.policy

  return async (inHand) => {
    const { entry } = inHand
    const { id, message: mail, attempts } = entry
    if (remover.isDone(id)) return remover.remove(entry)
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
      await remover.remove(entry)
    } catch (error) {
      await retries.putBack({ entry, to, isCounted }, error).catch(onTrouble)
    }
  }
}
