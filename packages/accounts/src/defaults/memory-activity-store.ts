import type { ActivityEntry, ActivityStore } from '../seams/activity-store.js'
import { assertInTime } from '../seams/call-deadline.js'
import { assertText } from '../seams/store-errors.js'

/**
 * An activity store in this process' memory: for tests and trying out. A restart loses every entry.
 *
 * @throws InvalidArgumentError from its methods, as `ActivityStore` says; never UnavailableError
 */
export function createMemoryActivityStore(): ActivityStore {
  const byId = new Map<string, ActivityEntry>()

  /** The newest first. */
  const entriesOf = (userId: string): ActivityEntry[] =>
    [...byId.values()].filter((entry) => entry.userId === userId).sort(compare)

  function remove(entries: readonly ActivityEntry[]): number {
    for (const { id } of entries) byId.delete(id)
    return entries.length
  }

  return {
    async add(entries, keep) {
      assertInTime()
      for (const { id, userId, type } of entries)
        for (const [name, text] of Object.entries({ id, userId, type })) assertText(name, text)
      for (const entry of entries) if (!byId.has(entry.id)) byId.set(entry.id, structuredClone(entry))
      for (const userId of new Set(entries.map((entry) => entry.userId)))
        remove(entriesOf(userId).slice(keep))
    },

    async list(userId, { limit, after }) {
      assertText('userId', userId)
      if (after) assertText('after.id', after.id)
      const entries = entriesOf(userId).filter((entry) => after === undefined || compare(entry, after) > 0)
      return structuredClone(entries.slice(0, limit))
    },

    async removeAll(userId) {
      assertInTime()
      assertText('userId', userId)
      return remove(entriesOf(userId))
    },

    async deleteExpired(before) {
      return remove([...byId.values()].filter(({ at }) => at < before))
    },
  }
}

type Position = Pick<ActivityEntry, 'at' | 'id'>

function compare(a: Position, b: Position): number {
  return b.at.getTime() - a.at.getTime() || (a.id < b.id ? 1 : -Number(a.id > b.id))
}
