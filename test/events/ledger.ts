import type { ListingUserStore, UserStore } from 'fastify-accounts'
import { expect } from 'vitest'
import type { Line } from './service.js'

/** How many deliveries repeat one to the same subscriber. */
export function twice(lines: readonly Line[]): number {
  return lines.length - new Set(lines.map(({ subscriber, id }) => `${subscriber} ${id}`)).size
}

/**
 * Checks the ledger of two subscribers against the users' table, where each version was made by a change that has an event.
 * @returns how many versions and deletions there were
 */
export async function expectComplete(
  users: UserStore,
  lines: readonly Line[],
): Promise<{ changed: number; deleted: number }> {
  const wrong: string[] = []
  const idsOf = (subscriber: string) =>
    [...new Set(lines.filter((line) => line.subscriber === subscriber).map(({ id }) => id))].toSorted()
  expect(idsOf('other')).toEqual(idsOf('ledger'))

  const kept = new Map(
    (await (users as ListingUserStore).list({ limit: 1_000_000 })).map((user) => [user.id, user.version]),
  )
  const told = new Map<string, Line[]>()
  for (const line of lines)
    if (line.userId !== null) told.set(line.userId, [...(told.get(line.userId) ?? []), line])
  let [changed, deleted] = [0, 0]
  for (const userId of new Set([...kept.keys(), ...told.keys()])) {
    const own = told.get(userId) ?? []
    const isDeleted = own.some(({ type }) => type === 'user.deleted')
    const last = kept.get(userId)
    if (isDeleted !== (last === undefined))
      wrong.push(`${userId}: told as deleted ${isDeleted}, version ${last}`)
    const versions = own.flatMap(({ type, version }) => (type === 'user.deleted' ? [] : (version ?? [])))
    const highest = last ?? Math.max(...versions)
    for (let version = 1; version <= highest; version += 1)
      if (!versions.includes(version)) wrong.push(`${userId}: no event of version ${version} of ${highest}`)
    if (versions.some((version) => version > highest))
      wrong.push(`${userId}: told a version above ${highest}`)
    if (!own.some(({ type }) => type === 'user.created')) wrong.push(`${userId}: never told as created`)
    changed += highest
    if (isDeleted) deleted += 1
  }
  expect(wrong).toEqual([])
  expect(changed).toBeGreaterThan(0)
  return { changed, deleted }
}
