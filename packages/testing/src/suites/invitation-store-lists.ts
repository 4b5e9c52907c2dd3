import type { Invitation, InvitationListQuery, InvitationStore } from 'fastify-accounts'
import type { Laws } from './cases.js'
import { check, range, same, show } from './checks.js'
import { idsOf, invite } from './invitations.js'

/** Laws about lists. */
export const invitationStoreListLaws: Laws<InvitationStore> = {
  'law 9: listByEmail returns all invitations of an address, the newest first': async (store) => {
    const now = Date.now()
    const emailKey = 'ada@example.org'
    const stored: Invitation[] = []
    for (const age of [3, 1, 4, 0, 2])
      stored.push(
        await invite(store, {
          emailKey,
          target: age % 2 ? 'accounts' : 'organizations',
          inviterId: age === 4 ? null : `user-${age}`,
          createdAt: new Date(now - age * 1000),
        }),
      )
    await invite(store, { emailKey: `${emailKey}.uk` })
    await invite(store, { emailKey: `x${emailKey}` })
    const expected = stored.toSorted((one, other) => Number(other.createdAt) - Number(one.createdAt))
    same(await store.listByEmail(emailKey), expected, 'listByEmail()')
  },

  'law 9: listByEmail returns a hundred, and one more': async (store) => {
    const emailKey = 'ada@example.org'
    const ids: string[] = []
    for (const n of range(101))
      ids.unshift((await invite(store, { emailKey, inviterId: `${n}`, createdAt: new Date(n) })).id)
    same(idsOf(await store.listByEmail(emailKey)), ids, 'the ids')
  },

  'law 10: list returns pages by time and id, the oldest first': async (store) => {
    const stored = await mixed(store)
    const all = await store.list({ limit: 99 })
    same(idsOf(all).toSorted(), idsOf(stored).toSorted(), 'the ids of all')
    for (const each of all)
      same(
        each,
        stored.find(({ id }) => id === each.id),
        'one of them',
      )
    const times = all.map(({ createdAt }) => Number(createdAt))
    same(
      times,
      times.toSorted((one, other) => one - other),
      'the times',
    )
    for (const limit of [1, 2, 3, 7, 98]) await pagesAre(store, { limit }, all)
  },

  'law 10: list filters by target, by inviter, and by both': async (store) => {
    await mixed(store)
    const all = await store.list({ limit: 99 })
    const targets = [undefined, 'accounts', 'organizations']
    for (const target of targets)
      for (const inviterId of [undefined, null, 'user-1', 'user-2']) {
        const matching = all.filter(
          (each) =>
            (target === undefined || each.target === target) &&
            (inviterId === undefined || each.inviterId === inviterId),
        )
        check(matching.length > 3, 'too few match')
        for (const limit of [2, 99]) await pagesAre(store, { target, inviterId, limit }, matching)
      }
  },

  'law 10: a page begins after a position, even where the invitation is gone or has changed': async (
    store,
  ) => {
    await mixed(store)
    const all = await store.list({ limit: 99 })
    for (const [n, after] of all.entries()) {
      if (n % 2) await store.delete(after.id)
      else await store.update(after.id, { sends: 9, expiresAt: new Date(0) }, after.version)
      const page = await store.list({ limit: 99, after })
      same(idsOf(page), idsOf(all.slice(n + 1)), `the ids after ${n + 1}`)
    }
  },
}

/** Invitations of several targets and inviters, some of the same millisecond, created in another order. */
async function mixed(store: InvitationStore): Promise<Invitation[]> {
  const stored: Invitation[] = []
  for (const n of range(48)) {
    const at = (n * 7) % 48
    stored.push(
      await invite(store, {
        target: n % 2 ? 'accounts' : 'organizations',
        inviterId: [null, 'user-1', 'user-2'][n % 3] ?? null,
        createdAt: new Date(Date.UTC(2026, 0) + Math.floor(at / 4)),
      }),
    )
  }
  return stored
}

/** Reads all pages of a query. */
async function pagesAre(
  store: InvitationStore,
  query: InvitationListQuery,
  expected: readonly Invitation[],
): Promise<void> {
  const read: Invitation[] = []
  for (;;) {
    const page = await store.list({ ...query, after: read.at(-1) })
    const rest = expected.length - read.length
    same(page.length, Math.min(query.limit, rest), `the length of a page of ${show(query)}`)
    if (page.length === 0) break
    read.push(...page)
  }
  same(idsOf(read), idsOf(expected), `the ids on the pages of ${show(query)}`)
}
