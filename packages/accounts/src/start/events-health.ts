import { eventRealm, subscriberRealm } from '../events/realms.js'
import { countIn, oldestIn } from '../outbox/realm-counts.js'
import type { MessageQueue } from '../seams/outbox.js'

/** How the events of this mount are delivered. A message has the events of one change, or of several requests. */
export interface EventsHealth {
  /** How many messages wait, and how many were abandoned; `null` if the outbox doesn't respond. */
  waiting: number | null
  dead: number | null
  /**
   * Milliseconds for which the longest overdue message has waited to be delivered, by any process; 0 if none is due, `null` if
   * the outbox doesn't respond or can't tell.
   */
  overdueMs: number | null
  /** How many messages this process is delivering; at most five at a time for each subscriber. */
  underWay: number
  /** Milliseconds that the oldest of them has taken so far; 0 if there is none. */
  oldestMs: number
  /**
   * How many messages wait for subscribers that this process doesn't have, by name; `null` if the outbox doesn't respond or
   * can't tell.
   */
  unclaimed: Readonly<Record<string, number>> | null
}

/** How many names of `unclaimed` are counted at most. */
const maxUnclaimed = 20

/** What waits in the realms of a mount's subscribers. */
export async function countEvents(
  outbox: Pick<MessageQueue, 'count' | 'oldestDue' | 'realms'>,
  mount: string,
  subscribers: readonly string[],
): Promise<Pick<EventsHealth, 'waiting' | 'dead' | 'unclaimed'> & { dueSince: Date | null | undefined }> {
  const own = [eventRealm(mount), ...subscribers.map((name) => subscriberRealm(mount, name))]
  const [counts, dueSince, unclaimed] = await Promise.all([
    countIn(outbox, own),
    oldestIn(outbox, own),
    countUnclaimed(outbox, mount, subscribers),
  ])
  return { ...counts, dueSince, unclaimed }
}

/** How many messages wait for other subscribers than these, by name; `null` if the outbox can't tell. */
export async function countUnclaimed(
  outbox: Pick<MessageQueue, 'count' | 'realms'>,
  mount: string,
  subscribers: readonly string[],
): Promise<Record<string, number> | null> {
  const realms = await outbox.realms?.()
  if (realms === undefined) return null
  const prefix = subscriberRealm(mount, '')
  const others = realms
    .filter((realm) => realm.startsWith(prefix))
    .map((realm) => realm.slice(prefix.length))
    .filter((name) => !subscribers.includes(name))
  const counted = await Promise.all(
    others
      .slice(0, maxUnclaimed)
      .map(async (name): Promise<[string, number]> => [name, (await outbox.count(prefix + name)).waiting]),
  )
  return Object.fromEntries(counted.filter(([, waiting]) => waiting > 0))
}
