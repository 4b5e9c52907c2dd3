import pRetry from 'p-retry'
import { describeError } from '../adapters/describe-error.js'
import type { MessageQueue, OutboxEntry } from '../seams/outbox.js'

/** Removes messages that this process is done with. */
export interface Remover {
  /** Whether the process is done with a message, but couldn't delete it. */
  isDone(id: string): boolean
  /** Never rejects. */
  remove(entry: OutboxEntry): Promise<void>
}

/** The most undeletable messages that are remembered; then the oldest are forgotten. */
const maxRemembered = 10_000

/** @param onTrouble called when the outbox is unavailable */
export function createRemover(
  outbox: Pick<MessageQueue, 'postpone' | 'remove'>,
  onTrouble: (error: unknown) => void,
): Remover {
  /** Messages that this process is done with, but couldn't delete. */
  const done = new Set<string>()

  /**
   * A message that is done with, and whose row can be changed but not deleted, becomes a dead letter: other processes don't
   * know that it was delivered, and `check()` counts it.
   */
  async function bury(entry: OutboxEntry, reason: unknown): Promise<void> {
    const error = `it was handled, but can't be deleted: ${describeError(reason)}`
    await outbox.postpone(entry, { dueAt: null, attempts: entry.attempts, error })
    // If it is retried by hand, it is to be delivered.
    done.delete(entry.id)
  }

  return {
    isDone: (id) => done.has(id),
    async remove(entry) {
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
    },
  }
}
