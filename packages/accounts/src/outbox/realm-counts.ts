import type { MessageQueue } from '../seams/outbox.js'

/** How many messages wait in all of these realms, and how many are dead letters. */
export async function countIn(
  outbox: Pick<MessageQueue, 'count'>,
  realms: readonly string[],
): Promise<{ waiting: number; dead: number }> {
  const counts = await Promise.all(realms.map((realm) => outbox.count(realm)))
  return {
    waiting: counts.reduce((sum, { waiting }) => sum + waiting, 0),
    dead: counts.reduce((sum, { dead }) => sum + dead, 0),
  }
}

/** When the message of these realms that has been due longest became due; `null` if none waits, `undefined` if the store doesn't say. */
export async function oldestIn(
  outbox: Pick<MessageQueue, 'oldestDue'>,
  realms: readonly string[],
): Promise<Date | null | undefined> {
  const due = await Promise.all(realms.map((realm) => outbox.oldestDue?.(realm)))
  const times = due.filter((time) => time instanceof Date).map((time) => time.getTime())
  return times.length === 0 ? due[0] : new Date(Math.min(...times))
}
