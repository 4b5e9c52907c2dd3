import type { ActivityEntry, ActivityStore } from 'fastify-accounts'
import { scramble } from './checks.js'
import type { Calls } from './outage.js'

const letters = scramble(8)
let serial = 0

/** More than any law stores. */
export const many = 10_000

/**
 * An entry for your own tests of a store, with an id that no other call returns.
 *
 * @param overrides what matters to the test
 */
export function newActivityEntry(overrides: Partial<ActivityEntry> = {}): ActivityEntry {
  serial += 1
  return {
    id: `${letters}-0000-4000-8000-${String(serial).padStart(12, '0')}`,
    userId: 'user-1',
    type: 'user.updated',
    at: new Date(),
    actor: 'request',
    device: 'Firefox, Linux',
    network: '192.0.2.0/24',
    data: { fields: ['username', 'plan'] },
    ...overrides,
  }
}

/** Stores an entry, and returns it as it should be found. */
export async function note(
  store: ActivityStore,
  overrides: Partial<ActivityEntry> = {},
): Promise<ActivityEntry> {
  const entry = newActivityEntry(overrides)
  const expected = structuredClone(entry)
  await store.add([entry], many)
  return expected
}

/** All entries of a user. */
export const allOf = (store: ActivityStore, userId = 'user-1'): Promise<ActivityEntry[]> =>
  store.list(userId, { limit: many })

/** The calls that add this entry or remove those of its user, and those that read. */
export function activityCalls(
  store: ActivityStore,
  fresh: ActivityEntry = newActivityEntry(),
): { writes: Calls; reads: Calls } {
  return {
    writes: {
      'add()': () => store.add([fresh], many),
      'removeAll()': () => store.removeAll(fresh.userId),
    },
    reads: { 'list()': () => store.list(fresh.userId, { limit: 10 }) },
  }
}

/** The ids, in their order. */
export const idsOf = (entries: readonly ActivityEntry[]): string[] => entries.map(({ id }) => id)
