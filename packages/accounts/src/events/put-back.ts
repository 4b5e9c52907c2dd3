import { describeError } from '../adapters/describe-error.js'
import type { OutboxClock } from '../outbox/outbox-clock.js'
import { pauseAfter, type RetryPolicy } from '../outbox/retry-policy.js'
import type { PendingEvents } from '../seams/events.js'
import type { MessageQueue, OutboxEntry } from '../seams/outbox.js'

/** Events that couldn't be delivered. */
export interface EventFailure {
  /** `null` if they couldn't even be split. */
  subscriber: string | null
  ids: readonly string[]
  types: readonly string[]
  userId: string | null
  error: unknown
}

/** Puts events back for another attempt, or gives them up. */
export type PutBack = (entry: OutboxEntry<PendingEvents>, error: unknown) => Promise<void>

/** @param deps.pollAgain requests a poll in so many milliseconds; for the rest see `createCourier` */
export function createPutBack(deps: {
  outbox: Pick<MessageQueue<PendingEvents>, 'postpone'>
  clock: Pick<OutboxClock, 'now'>
  policy: Pick<RetryPolicy, 'maxAttempts'>
  subscriber: string | null
  pollAgain(delay: number): void
  isClosing(): boolean
  onFailure(failure: EventFailure): void
  onDelay(failure: EventFailure): void
}): PutBack {
  const { outbox, clock, policy, subscriber, pollAgain } = deps

  return async (entry, thrown) => {
    const { message, attempts } = entry
    const error = describeError(thrown)
    if (deps.isClosing()) {
      // Another process delivers it at once. That this one closes is no failure of the handler.
      await outbox.postpone(entry, { dueAt: new Date(clock.now()), attempts: attempts - 1, error })
      return
    }
    const isOver = attempts >= policy.maxAttempts
    const pause = pauseAfter(attempts)
    const dueAt = isOver ? null : new Date(clock.now() + pause)
    const isOurs = await outbox.postpone(entry, { dueAt, attempts, error })
    // A timer may fire slightly early.
    if (!isOver) pollAgain(pause + 10)
    const failure: EventFailure = {
      subscriber,
      ids: message.events.map(({ id }) => id),
      types: message.events.map(({ type }) => type),
      userId: message.userId,
      error: thrown,
    }
    if (isOver && isOurs) deps.onFailure(failure)
    else if (attempts === 1) deps.onDelay(failure)
  }
}
