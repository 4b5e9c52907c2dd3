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
    const entries = found.slice(0, perPage)
    const last = found.length > perPage ? entries.at(-1) : undefined
    return { entries, next: last ? { createdAt: last.at, id: last.id, usernameKey: null } : null }
  })
}
