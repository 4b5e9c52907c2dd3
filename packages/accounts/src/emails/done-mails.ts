import pRetry from 'p-retry'
import { describeError } from '../adapters/describe-error.js'
import type { MailQueue, OutboxEntry } from '../seams/outbox.js'
import type { OutboxClock } from './outbox-clock.js'
import type { RetryPolicy } from './retry-policy.js'

/** Emails that were sent, or that nobody wants: their rows only have to go. */
export interface DoneMails {
  /** Whether this process is done with the email, but couldn't delete it when it was claimed before. */
  has(id: string): boolean
  /** Deletes the email, or puts it off if that fails. Never rejects. */
  remove(entry: OutboxEntry): Promise<void>
}

/** The most that are remembered; then the oldest are forgotten. */
const maxRemembered = 10_000

/**
 * Milliseconds until another attempt to delete an email. Other processes don't know that it was sent, and each sends it
 * again when it claims it.
 */
const pause = 300_000

export function createDoneMails(deps: {
  outbox: Pick<MailQueue, 'postpone' | 'remove'>
  clock: Pick<OutboxClock, 'now'>
  policy: Pick<RetryPolicy, 'maxAttempts'>
  onTrouble(error: unknown): void
}): DoneMails {
  const { outbox, clock, policy, onTrouble } = deps
  const done = new Set<string>()

  async function putOff(entry: OutboxEntry, reason: unknown): Promise<void> {
    const { id, attempts } = entry
    const isOver = attempts >= policy.maxAttempts
    const dueAt = isOver ? null : new Date(clock.now() + pause)
    const error = `it was handled, but can't be deleted: ${describeError(reason)}`
    await outbox.postpone(entry, { dueAt, attempts, error })
    // If it is retried by hand, it is to be sent.
    if (isOver) done.delete(id)
  }

  return {
    has: (id) => done.has(id),
    async remove(entry) {
      const [oldest] = done
      if (oldest !== undefined && done.size >= maxRemembered) done.delete(oldest)
      done.add(entry.id)
      try {
        await pRetry(() => outbox.remove(entry), { retries: 5, minTimeout: 500, unref: true })
        done.delete(entry.id)
      } catch (error) {
        onTrouble(error)
        await putOff(entry, error).catch(onTrouble)
      }
    },
  }
}
