import type { ActivityEntry, ActivityStoreCalls } from '../../seams/activity-store.js'
import { type createListCursor, readPage } from '../../tokens/list-cursor.js'

const perPage = 50

/**
 * One page of what has happened to an account, the newest first.
 * @throws AccountsError ACCOUNTS_INVALID_INPUT for a cursor of another account
 */
export function listActivity(
  activity: Pick<ActivityStoreCalls, 'list'>,
  positions: ReturnType<typeof createListCursor>,
  userId: string,
  cursor: string | undefined,
): Promise<{ entries: ActivityEntry[]; next: string | null }> {
  return readPage(positions, `activity ${userId}`, cursor, async (position) => {
    const after = position && { at: position.createdAt, id: position.id }
    const found = await activity.list(userId, { limit: perPage + 1, after })
    const entries = sinceHandOver(found.slice(0, perPage))
    const isMore = found.length > perPage && !entries.some(isHandOver)
    const last = isMore ? entries.at(-1) : undefined
    return { entries, next: last ? { createdAt: last.at, id: last.id, usernameKey: null } : null }
  })
}

const isHandOver = ({ type }: ActivityEntry): boolean => type === 'user.handed_over'

/** An account that changed hands was somebody else's before, whose devices and networks are not its owner's to see. */
export const sinceHandOver = (entries: ActivityEntry[]): ActivityEntry[] => {
  const handOver = entries.find(isHandOver)
  return handOver === undefined ? entries : entries.filter(({ at }) => at >= handOver.at)
}
