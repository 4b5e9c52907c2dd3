import type { Deps } from '../../../deps.js'
import { activityBounds } from '../../../options/activity.js'
import type { ActivityEntry, ActivityStoreCalls } from '../../../seams/activity-store.js'

type Write = (entry: ActivityEntry) => Promise<void>

/**
 * Adds entries, those that arrive during one call together with the next.
 *
 * A user is looked up after their entries are there: then the event of a later deletion comes after them and removes them. So
 * a deleted user leaves none behind, in whatever order events are delivered.
 */
export function createActivityWriter(
  activity: ActivityStoreCalls,
  users: Pick<Deps['users'], 'findById'>,
): Write {
  let next: { entries: ActivityEntry[]; isWritten: Promise<void> } | undefined
  let last: Promise<unknown> = Promise.resolve()

  async function write(entries: readonly ActivityEntry[]): Promise<void> {
    await activity.add(entries, activityBounds.entries)
    const userIds = new Set(entries.map(({ userId }) => userId))
    await Promise.all(
      [...userIds].map(async (id) => {
        const user = await users.findById(id)
        // What a sign-up entered with a taken address is no account.
        if (user === null || user.kind === 'unclaimed') await activity.removeAll(id)
      }),
    )
  }

  return (entry) => {
    if (next === undefined) {
      const entries: ActivityEntry[] = []
      const isWritten = last.then(() => {
        next = undefined
        return write(entries)
      })
      last = isWritten.catch(() => undefined)
      next = { entries, isWritten }
    }
    next.entries.push(entry)
    return next.isWritten
  }
}
