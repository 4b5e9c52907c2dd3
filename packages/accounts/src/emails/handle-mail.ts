import type { MailQueue, OutboxEntry } from '../seams/outbox.js'
import type { Addressee } from './addressee.js'
import type { Delivery } from './delivery.js'
import type { DoneMails } from './done-mails.js'
import type { KeptClaim } from './keep-claim.js'
import type { OutboxClock } from './outbox-clock.js'
import type { Refusals } from './refusals.js'
import type { Retries } from './retries.js'
import type { RetryPolicy } from './retry-policy.js'

/** Sends one claimed email, drops it if nobody should get it, or puts it back. Never throws. */
export type HandleMail = (entry: OutboxEntry, claim: Pick<KeptClaim, 'isHeld'>) => Promise<void>

/**
 * @param deps.onAddressee called with the email's user as soon as it is known
 * @param deps.wantMore requests a poll of the outbox once this email has been handled
 */
export function createMailHandler(deps: {
  outbox: Pick<MailQueue, 'add' | 'postpone'>
  clock: Pick<OutboxClock, 'now'>
  policy: Pick<RetryPolicy, 'maxAttempts'>
  delivery: Delivery
  refusals: Pick<Refusals, 'noteAccepted'>
  retries: Retries
  done: DoneMails
  onAddressee(id: string, userId: string | null): void
  wantMore(): void
  onTrouble(error: unknown): void
}): HandleMail {
  const { outbox, clock, delivery, refusals, retries, done, onAddressee, wantMore, onTrouble } = deps
  const { maxAttempts } = deps.policy

  return async (entry, claim) => {
    const { id, mail, attempts } = entry
    if (done.has(id)) return done.remove(entry)
    let to: Addressee | null = null
    // The budget is spent before the first attempt, and never again.
    let isCounted = attempts > 1
    try {
      const heldUntil = mail.heldUntil ? new Date(mail.heldUntil) : null
      if (heldUntil !== null && heldUntil.getTime() > clock.now()) {
        await outbox.postpone(entry, {
          dueAt: heldUntil,
          attempts: 0,
          error: 'held back: too many of its kind',
        })
        return
      }
      to = await delivery.addressee(mail)
      onAddressee(id, to?.user.id ?? mail.userId)
      // Every attempt ends its claim, unless the process dies.
      if (to !== null && attempts > maxAttempts)
        throw new Error(`it was taken ${maxAttempts} times and never returned`)
      const verdict = to === null ? 'drop' : isCounted ? 'send' : await delivery.decide(mail, to)
      isCounted = true
      retries.noteDecided(id)
      if (typeof verdict === 'object') {
        // It replaces those after it. It is due at once, but the next claim puts it off.
        await outbox.add([{ ...mail, heldUntil: verdict.holdUntil.toISOString() }])
        wantMore()
      }
      // After a stall longer than the lease, another process has claimed it.
      if (!claim.isHeld()) return
      if (to !== null && verdict === 'send') {
        if (await delivery.send(entry, to)) refusals.noteAccepted()
      }
      await done.remove(entry)
    } catch (error) {
      await retries.putBack({ entry, to, isCounted }, error).catch(onTrouble)
    }
  }
}
