import { day } from '../../../options/time.js'
import type { ActivityEntry, ActivityStoreCalls } from '../../../seams/activity-store.js'
import { activityBounds } from '../bounds.js'

/** How many entries are looked at: what else has happened on a day is fewer. */
const looked = 100

/**
 * Whether an entry is one of refusals, and its account has enough of those for a day: anybody can cause them, and they would
 * push out what its person did.
 */
export async function areTooMany(
  activity: Pick<ActivityStoreCalls, 'list'>,
  { userId, type, at }: ActivityEntry,
): Promise<boolean> {
  if (type !== 'session.refused') return false
  const since = at.getTime() - day
  const latest = await activity.list(userId, { limit: looked })
  const refusals = latest.filter((entry) => entry.type === type && entry.at.getTime() > since)
  return refusals.length >= activityBounds.refusalsPerDay
}
