import type { Organization, OrganizationStore } from '@fastify-accounts/organizations/store'
import type { Laws } from './cases.js'
import { range, same, show } from './checks.js'
import { establish, newMembership, newOrganization, writeTo } from './organizations.js'

const count = 30
/** Four of each millisecond, in another order than that of the times. */
const timeOf = (n: number): Date => new Date(Date.UTC(2026, 0) + Math.floor(((n * 7) % count) / 4))

/** Laws about lists. */
export const organizationStoreListLaws: Laws<OrganizationStore> = {
  'law 8: list returns pages by createdAt and id, the oldest first': async (store) => {
    const all: Organization[] = []
    for (const n of range(count))
      all.push(await establish(store, { createdAt: timeOf(n) }, ['user-1', 'user-2']))
    await isPaged({
      what: 'list()',
      stored: all,
      idOf: ({ id }) => id,
      timeOf: ({ createdAt }) => createdAt,
      page: (limit, after) => store.list({ limit, after }),
    })
  },

  'law 9: listMembers returns pages by since and userId, the oldest first': async (store) => {
    const organization = newOrganization()
    const other = newOrganization()
    const members = ({ id }: { id: string }) =>
      range(count).map((n) =>
        newMembership({ organizationId: id, userId: `user-${n}`, since: timeOf(n), roles: [id, `${n}`] }),
      )
    for (const each of [organization, other]) await store.create(each, members(each))
    await isPaged({
      what: 'listMembers()',
      stored: members(organization),
      idOf: ({ userId }) => userId,
      timeOf: ({ since }) => since,
      page: (limit, after) => store.listMembers(organization.id, { limit, after }),
    })
    // A position that somebody has left.
    const all = await store.listMembers(organization.id, { limit: count })
    for (const [n, after] of all.entries()) {
      await store.write([writeTo({ ...organization, version: n + 1 }, { remove: [after.userId] })])
      const page = await store.listMembers(organization.id, { limit: count, after })
      same(page, all.slice(n + 1), `the page after the member ${n + 1}, who is gone`)
    }
    same((await store.listMembers(other.id, { limit: 99 })).length, count, 'the members of the other one')
  },

  'law 10: listOfUser returns pages by since and organizationId, each with its organization': async (
    store,
  ) => {
    const stored = []
    for (const n of range(count)) {
      const organization = newOrganization({ createdAt: timeOf(n + 1) })
      const members = ['user-1', 'user-2'].map((userId) =>
        newMembership({ organizationId: organization.id, userId, since: timeOf(n), roles: [userId, `${n}`] }),
      )
      await store.create(organization, members)
      if (members[0]) stored.push({ organization: { ...organization, version: 1 }, membership: members[0] })
    }
    await establish(store, {}, ['user-2', 'user-11'])
    await isPaged({
      what: 'listOfUser()',
      stored,
      idOf: ({ organization }) => organization.id,
      timeOf: ({ membership }) => membership.since,
      page: (limit, after) => store.listOfUser('user-1', { limit, after: after?.membership }),
    })
    same(await store.countOfUser('user-1'), count, 'countOfUser()')
    same(await store.countOfUser('user-2'), count + 1, 'countOfUser() of another user')
    const all = await store.listOfUser('user-1', { limit: count })
    for (const [n, { organization, membership }] of all.entries()) {
      const write = n % 2 ? { isDeletion: true } : { remove: ['user-1'] }
      await store.write([writeTo(organization, write)])
      const page = await store.listOfUser('user-1', { limit: count, after: membership })
      same(page, all.slice(n + 1), `the page after the organization ${n + 1}, which they have left`)
      same(await store.countOfUser('user-1'), count - n - 1, 'countOfUser()')
    }
  },
}

/** Fails unless the pages have what is stored, by time and id. */
async function isPaged<Item>({
  what,
  stored,
  idOf,
  timeOf,
  page,
}: {
  what: string
  stored: readonly Item[]
  idOf(item: Item): string
  timeOf(item: Item): Date
  page(limit: number, after: Item | undefined): Promise<Item[]>
}): Promise<void> {
  const all = await page(stored.length + 10, undefined)
  same(all.map(idOf).toSorted(), stored.map(idOf).toSorted(), `the ids of ${what}`)
  for (const each of all)
    same(
      each,
      stored.find((one) => idOf(one) === idOf(each)),
      `one of ${what}`,
    )
  const times = all.map((each) => Number(timeOf(each)))
  same(
    times,
    times.toSorted((one, other) => one - other),
    `the times of ${what}`,
  )
  for (const limit of [1, 2, 3, 7, stored.length]) {
    const read: Item[] = []
    for (;;) {
      const next = await page(limit, read.at(-1))
      const rest = stored.length - read.length
      same(
        next.length,
        Math.min(limit, rest),
        `the length of a page of ${what} with the limit ${show(limit)}`,
      )
      if (next.length === 0) break
      read.push(...next)
    }
    same(read.map(idOf), all.map(idOf), `the ids on the pages of ${what} with the limit ${limit}`)
  }
}
