import type { MessageQueue } from '../seams/outbox.js'

/** How many messages wait in all of these realms. */
export async function waitingIn(
  outbox: Pick<MessageQueue, 'count'>,
  realms: readonly string[],
): Promise<number> {
  const counts = await Promise.all(realms.map((realm) => outbox.count(realm)))
  return counts.reduce((sum, { waiting }) => sum + waiting, 0)
}
