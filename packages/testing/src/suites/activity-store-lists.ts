import { type ActivityEntry, type ActivityStore, InvalidArgumentError } from 'fastify-accounts'
import { allOf, idsOf, many, newActivityEntry, note } from './activities.js'
import { inTurns, type Laws } from './cases.js'
import {
  halves,
  hostileTexts,
  nearlyEqualTexts,
  notKeys,
  race,
  range,
  refusesKeys,
  rejects,
  same,
  scramble,
  show,
} from './checks.js'

/** Laws about the entries of a user: how many stay, their order, and that nobody else's are among them. */
export const activityStoreListLaws: Laws<ActivityStore> = {
  'law 6: add keeps the newest entries of each of its users, and all of others': async (store) => {
    const other = await note(store, { userId: 'user-3', at: new Date(1) })
    const older = await note(store, { userId: 'user-3', at: new Date(0) })
    const entries = range(9).map((n) =>
      newActivityEntry({ userId: n % 2 ? 'user-1' : 'user-2', at: new Date((n * 7) % 9) }),
    )
    await store.add(entries, 3)
    const newest = entries.toSorted((one, two) => Number(two.at) - Number(one.at))
    for (const user of ['user-1', 'user-2']) {
      const own = newest.filter(({ userId }) => userId === user).slice(0, 3)
      same(await allOf(store, user), own, `the entries of ${user}`)
    }
    same(await allOf(store, 'user-3'), [other, older], 'the entries of a user without new ones')
  },

  'law 6: an entry older than those that stay doesn’t stay': async (store, second) => {
    const kept = [await note(store, { at: new Date(5) }), await note(store, { at: new Date(4) })]
    await second.add([newActivityEntry({ at: new Date(3) })], 2)
    same(await allOf(store), kept, 'the entries after an older one')
    const next = newActivityEntry({ at: new Date(6) })
    await second.add([next], 2)
    same(await allOf(store), [next, kept[0]], 'the entries after a newer one')
    await second.add([next], 1)
    same(await allOf(store), [next], 'the entries where fewer stay')
  },

  'law 6: of entries of one time, those stay that a list begins with': async (store) => {
    const at = new Date()
    const entries = range(9).map(() => newActivityEntry({ at }))
    await store.add(entries.toReversed(), 9)
    const all = await allOf(store)
    same(idsOf(all).toSorted(), idsOf(entries).toSorted(), 'the ids')
    for (const keep of [8, 5, 1]) {
      await store.add([entries[0] as ActivityEntry], keep)
      same(await allOf(store), all.slice(0, keep), `the ${keep} that stay`)
    }
  },

  'law 6: once calls that met are over, the next one leaves no more than it keeps': async (store, second) => {
    const turn = inTurns(store, second)
    for (const round of range(10)) {
      const userId = `user-${round}`
      const entries = range(20).map((n) => newActivityEntry({ userId, at: new Date(n) }))
      await Promise.all(entries.map((entry, n) => turn(n).add([entry], 5)))
      const newest = newActivityEntry({ userId, at: new Date(20) })
      await store.add([newest], 5)
      const expected = [newest, ...entries.slice(-4).toReversed()]
      same(idsOf(await allOf(second, userId)), idsOf(expected), 'the ids')
    }
  },

  'law 7: users are compared byte for byte': async (store) => {
    const entries = [...hostileTexts, ...nearlyEqualTexts].map((userId) => newActivityEntry({ userId }))
    for (const { chosen, others } of halves(entries)) {
      await store.add(entries, many)
      for (const { userId } of chosen) same(await store.removeAll(userId), 1, `removeAll(${show(userId)})`)
      for (const entry of others)
        same(await allOf(store, entry.userId), [entry], `list(${show(entry.userId)})`)
    }
  },

  'law 7: anything but well-formed, non-empty text is rejected as an argument': async (store) => {
    await refusesKeys('list', (userId) => store.list(userId, { limit: 9 }))
    await refusesKeys('removeAll', (userId) => store.removeAll(userId))
    await refusesKeys('list after', (id) => store.list('user-1', { limit: 9, after: { at: new Date(), id } }))
    for (const field of ['id', 'userId', 'type'] as const)
      for (const value of notKeys) {
        const entries = [newActivityEntry(), newActivityEntry({ [field]: value })]
        const add = () => store.add(entries, many)
        await rejects(InvalidArgumentError, add, `add() with the ${field} ${show(value)}`)
      }
    same(await allOf(store), [], 'the entries stored')
  },

  'law 7: long ids come back whole or are rejected, never truncated': async (store) => {
    for (const length of [255, 1024, 5000])
      for (const end of ['a', 'b']) {
        const userId = scramble(length - 1) + end
        const entry = newActivityEntry({ userId, id: `${scramble(length - 1)}${end}` })
        const { errors } = await race([() => store.add([entry], many)])
        if (length === 255) same(errors, [], 'the errors of add() with ids of 255 bytes')
        const kept = errors.length === 0 ? [entry] : []
        same(await allOf(store, userId), kept, `the entries of a user with an id of ${length} bytes`)
      }
  },

  'law 8: list returns pages by time and id, the newest first': async (store) => {
    await note(store, { userId: 'user-2', at: new Date(Date.UTC(2026, 0) + 6) })
    const stored = await mixed(store)
    const all = await allOf(store)
    same(idsOf(all).toSorted(), idsOf(stored).toSorted(), 'the ids of all')
    const times = all.map(({ at }) => Number(at))
    same(
      times,
      times.toSorted((one, other) => other - one),
      'the times',
    )
    for (const limit of [1, 2, 3, 7, 47, 48, 49]) {
      const read: ActivityEntry[] = []
      for (;;) {
        const page = await store.list('user-1', { limit, after: read.at(-1) })
        same(page.length, Math.min(limit, all.length - read.length), `the length of a page of ${limit}`)
        if (page.length === 0) break
        read.push(...page)
      }
      same(read, all, `the entries on pages of ${limit}`)
    }
  },

  'law 8: a page begins after a position, even where the entry is gone': async (store) => {
    const all = (await mixed(store)).toSorted((one, two) => Number(two.at) - Number(one.at))
    for (const after of [all[9], all[20]] as ActivityEntry[]) {
      const page = await store.list('user-1', { limit: 3, after })
      await store.removeAll('user-1')
      await store.add(page, many)
      same(await store.list('user-1', { limit: 3, after }), page, 'the page after an entry that is gone')
      await store.add(all, many)
    }
    const { id } = newActivityEntry()
    same(
      await store.list('user-1', { limit: 3, after: { at: new Date(0), id } }),
      [],
      'the page after the last',
    )
  },

  'law 9: removeAll removes all entries of a user, and nobody else’s': async (store, second) => {
    const other = await note(store, { userId: 'user-2' })
    await store.add(
      range(1200).map((n) => newActivityEntry({ at: new Date(n) })),
      many,
    )
    same(await second.removeAll('user-1'), 1200, 'removeAll()')
    same(await allOf(store), [], 'the entries of the user')
    same(await allOf(store, 'user-2'), [other], 'the entries of another user')
    same(await store.removeAll('user-1'), 0, 'a second removeAll()')
  },

  'law 10: deleteExpired removes what is from before a time, in several portions, and nothing else': async (
    store,
  ) => {
    const end = new Date(Date.UTC(2026, 0))
    const live = [
      await note(store, { at: new Date(Number(end) + 1) }),
      await note(store, { at: end }),
      await note(store, { userId: 'user-2', at: end }),
    ]
    await store.add(
      range(1200).map((n) =>
        newActivityEntry({ userId: `user-${n % 2}`, at: new Date(Number(end) - n - 1) }),
      ),
      many,
    )
    const before = new Date(Number(end) - 1200)
    same(await store.deleteExpired(before), 0, 'deleteExpired() before the first')
    same(await store.deleteExpired(end), 1200, 'deleteExpired()')
    same(await store.deleteExpired(end), 0, 'a second deleteExpired()')
    same([...(await allOf(store)), ...(await allOf(store, 'user-2'))], live, 'the entries left')
  },
}

/** Entries of one user, some of the same millisecond, added in another order. */
async function mixed(store: ActivityStore): Promise<ActivityEntry[]> {
  const entries = range(48).map((n) =>
    newActivityEntry({ at: new Date(Date.UTC(2026, 0) + Math.floor(((n * 7) % 48) / 4)) }),
  )
  await store.add(entries, many)
  return entries
}
