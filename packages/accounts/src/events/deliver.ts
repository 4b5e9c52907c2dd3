import type { HandleMessage } from '../outbox/claimer.js'
import type { Remover } from '../outbox/remover.js'
import type { RetryPolicy } from '../outbox/retry-policy.js'
import type { AccountEvent, PendingEvents, Subscriber } from '../seams/events.js'
import type { MessageQueue } from '../seams/outbox.js'
import type { HandlerCalls } from './handler-calls.js'
import type { PutBack } from './put-back.js'
import { handlerFor } from './subscribers.js'

/** Calls a subscriber's handlers for the events of a claimed message, one after another. */
export function createDeliver(deps: {
  outbox: Pick<MessageQueue<PendingEvents>, 'split'>
  policy: Pick<RetryPolicy, 'maxAttempts'>
  remover: Remover
  subscriber: Subscriber
  calls: HandlerCalls
  putBack: PutBack
  /** Requests a poll in so many milliseconds. */
  pollAgain(delay: number): void
  onTrouble(error: unknown): void
}): HandleMessage<PendingEvents> {
  const { outbox, policy, remover, subscriber, calls, putBack, pollAgain, onTrouble } = deps

  return async ({ entry, isHeld }) => {
    const { id, message, attempts } = entry
    if (remover.isDone(id)) return remover.remove(entry)
    const left = [...message.events]
    try {
      // Every attempt ends its claim, unless the process dies. One of several may be what it dies of.
      if (attempts > policy.maxAttempts)
        throw new Error(`it was taken ${policy.maxAttempts} times and never returned`)
      if (attempts > 1 && left.length > 1) throw new Error('an attempt never returned')
      for (let event = left[0]; event !== undefined; event = left[0]) {
        // After a stall longer than the lease, another process has claimed it.
        if (!isHeld()) return
        const handler = handlerFor(subscriber, event.type)
        // Renamed or removed since it was written.
        if (handler !== undefined) await calls.call(handler, named(event, message.userId))
        left.shift()
      }
      await remover.remove(entry)
    } catch (error) {
      await again(error).catch(onTrouble)
    }

    /** Of several events, one that always fails repeats no others: each left is a message of its own from now on. */
    async function again(error: unknown): Promise<void> {
      if (message.events.length === 1) return putBack(entry, error)
      await outbox.split(
        entry,
        left.map((event) => ({ ...message, events: [event] })),
      )
      pollAgain(0)
    }
  }
}

/** With the id of a user who was just being created when it was written. */
function named(event: AccountEvent, userId: string | null): AccountEvent {
  const { user } = event
  return user?.id === '' && userId !== null ? { ...event, user: { ...user, id: userId } } : event
}
