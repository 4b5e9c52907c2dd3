import type { MessageQueue, OutboxEntry, PendingMessage } from '../seams/outbox.js'
import type { Claimer } from './claimer.js'

/**
 * Waits until claimers have nothing left to do, for at most so many milliseconds.
 * @param isDone asked whenever all are idle. Default: they are done
 */
export async function untilDone(
  claimers: readonly Pick<Claimer<never>, 'isIdle' | 'nextChange'>[],
  timeout: number,
  isDone: () => boolean | Promise<boolean> = () => true,
): Promise<void> {
  let late: NodeJS.Timeout | undefined
  let isLate = false
  const end = new Promise<void>((resolve) => {
    late = setTimeout(() => {
      isLate = true
      resolve()
    }, timeout)
  })
  while (!isLate) {
    const changes = claimers.map((claimer) => claimer.nextChange())
    if (claimers.every((claimer) => claimer.isIdle()) && (await isDone())) break
    await Promise.race([...changes, end])
  }
  clearTimeout(late)
}

/** Removes and returns what is left in these realms, which is lost with the process. */
export async function takeRest<Message extends PendingMessage>(
  outbox: Pick<MessageQueue<Message>, 'claim' | 'remove'>,
  realms: readonly string[],
): Promise<OutboxEntry<Message>[]> {
  const ever = new Date(8.64e15)
  const rest = await outbox.claim({ realms, now: ever, until: ever, limit: Number.MAX_SAFE_INTEGER })
  for (const entry of rest) await outbox.remove(entry)
  return rest
}
