import { type Backlog, createBacklog } from '../outbox/backlog.js'
import type { HandleMessage } from '../outbox/claimer.js'
import type { Remover } from '../outbox/remover.js'
import type { RetryPolicy } from '../outbox/retry-policy.js'
import type { PendingEvents } from '../seams/events.js'
import type { MessageQueue } from '../seams/outbox.js'
import type { Interest } from './interest.js'
import type { PutBack } from './put-back.js'
import { subscriberRealm } from './realms.js'

/**
 * Replaces a claimed message by one for each subscriber that it names, also for those that only other processes have.
 * @param deps.onSplit called with the names of the subscribers
 */
export function createSplit(deps: {
  outbox: Pick<MessageQueue<PendingEvents>, 'split' | 'count'>
  mount: string
  policy: Pick<RetryPolicy, 'maxWaiting' | 'maxWithChanges' | 'isShared'>
  remover: Remover
  interest: Pick<Interest, 'addressees'>
  /** The names of those of this process. */
  subscribers: Iterable<string>
  putBack: PutBack
  onSplit(subscribers: readonly string[]): void
  onDropped(subscriber: string, messages: number, reason: string): void
  onTrouble(error: unknown): void
}): HandleMessage<PendingEvents> {
  const { outbox, mount, policy, remover, interest, putBack } = deps
  const backlogs = new Map<string, Backlog>()
  for (const name of deps.subscribers)
    backlogs.set(name, createBacklog({ outbox, policy, realm: subscriberRealm(mount, name), what: 'events' }))

  /** Those whose line has room for one more message. */
  async function withRoom(names: readonly string[], isKept: boolean): Promise<string[]> {
    const open: string[] = []
    for (const name of names) {
      const refusal = (await backlogs.get(name)?.refusal(1, isKept)) ?? null
      if (refusal === null) open.push(name)
      else deps.onDropped(name, 1, refusal.message)
    }
    return open
  }

  return async ({ entry }) => {
    const { message } = entry
    if (remover.isDone(entry.id)) return remover.remove(entry)
    try {
      const types = message.events.map(({ type }) => type)
      const names = await withRoom(message.to ?? interest.addressees(types) ?? [], !message.isDroppable)
      if (names.length === 0) return remover.remove(entry)
      const messages = names.map((name) => ({ ...message, realm: subscriberRealm(mount, name), to: [name] }))
      if (await outbox.split(entry, messages)) deps.onSplit(names)
    } catch (error) {
      await putBack(entry, error).catch(deps.onTrouble)
    }
  }
}
