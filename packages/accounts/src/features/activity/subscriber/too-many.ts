import { activityBounds } from '../../../options/activity.js'
import { day } from '../../../options/time.js'
import type { ActivityEntry, ActivityStoreCalls } from '../../../seams/activity-store.js'

/**
 * Whether an account has enough entries of this type for a day: strangers cause refusals, and who has stolen a session could
 * cause the others without end, to push out what they did before.
 */
export async function areTooMany(
  activity: Pick<ActivityStoreCalls, 'list'>,
  { userId, type, at }: ActivityEntry,
): Promise<boolean> {
  const most = activityBounds.perDay[type]
  if (most === undefined) return false
  const since = at.getTime() - day
  const latest = await activity.list(userId, { limit: activityBounds.looked })
  return latest.filter((entry) => entry.type === type && entry.at.getTime() > since).length >= most
}
