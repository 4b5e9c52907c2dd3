import { logTrouble } from '../adapters/log-trouble.js'
import { onceAMinute } from '../adapters/once-a-minute.js'
import type { OutageLog } from '../adapters/outages.js'
import type { PendingEvents } from '../seams/events.js'
import type { EventWriter } from './writer.js'

/** How long an event waits for others, in milliseconds. */
const wait = 1000

/** How many events one message has at most. */
const perMessage = 100

/** How many wait at most: if the outbox is that slow, the next are dropped. */
const mostWaiting = 10_000

/** Events that no change stores, together: a process that dies loses those of the last second. */
export interface Batch {
  add(messages: readonly PendingEvents[]): void
  /** Posts what waits. */
  flush(): Promise<void>
}

export function createBatch(
  { join }: Pick<EventWriter, 'join'>,
  post: (messages: readonly PendingEvents[]) => Promise<void>,
  log: Pick<OutageLog, 'info' | 'warn'>,
): Batch {
  let waiting: PendingEvents[] = []
  let underWay = 0
  let last: Promise<void> = Promise.resolve()
  let timer: NodeJS.Timeout | undefined
  const drop = onceAMinute((error: unknown) =>
    logTrouble(log, error, 'accounts: events of sessions were dropped'),
  )

  function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    const messages = waiting
    waiting = []
    underWay += messages.length
    last = last.then(() => postAll(messages))
    return last
  }

  async function postAll(messages: readonly PendingEvents[]): Promise<void> {
    try {
      for (let from = 0; from < messages.length; from += perMessage) {
        const joined = join(messages.slice(from, from + perMessage), null)
        await post(joined.map((message) => ({ ...message, isDroppable: true })))
      }
    } catch (error) {
      // The rest would wait as long for the same.
      drop(error)
    } finally {
      underWay -= messages.length
    }
  }

  return {
    add(messages) {
      if (messages.length === 0) return
      if (waiting.length + underWay >= mostWaiting) return drop(new Error('too many events wait'))
      waiting.push(...messages)
      timer ??= setTimeout(flush, wait).unref()
    },
    flush,
  }
}
