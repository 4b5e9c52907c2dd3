import type { ActivityActor, ActivityEntry, ActivityStore } from 'fastify-accounts'
import { activityCalls, allOf, idsOf, many, newActivityEntry, note } from './activities.js'
import { inTurns, type Laws } from './cases.js'
import { hostileTexts, range, same, show, worldlyTexts } from './checks.js'

/** Laws about one entry: it comes back as stored, with nothing added. */
export const activityStoreRecordLaws: Laws<ActivityStore> = {
  'law 1: an entry comes back as it was added': async (store) => {
    const actors: ActivityActor[] = ['request', 'staff', 'host', 'command', 'plugin']
    const entries = [
      ...actors.map((actor) => newActivityEntry({ actor })),
      ...[...worldlyTexts, ...hostileTexts].map((text) => newActivityEntry({ device: text, network: text })),
      newActivityEntry({ type: 'organization.member_added', at: new Date('2026-03-29T01:30:00.123Z') }),
      newActivityEntry({ device: null, network: null, data: {}, at: new Date('2099-12-31T23:59:59.999Z') }),
      newActivityEntry({ device: '', network: '', at: new Date(1) }),
      newActivityEntry({ device: 'x'.repeat(200), network: 'x'.repeat(200) }),
    ]
    await comeBack(store, entries)
  },

  'law 1: what an entry tells comes back unchanged, whatever JSON is in it': async (store) => {
    const values = [[], {}, null, true, false, 0, -1.5, '', 'null', '"', 'ÿ "\\\'', 'a\0b', 'x'.repeat(4000)]
    await comeBack(store, [
      ...values.map((value) => newActivityEntry({ data: { value, list: [value, [value]] } })),
      newActivityEntry({ data: { z: 1, a: 2, $ne: { 'a\0b': '\ud800' } } }),
    ])
  },

  'law 2: changing an argument or a result doesn’t change the store': async (store) => {
    const entry = newActivityEntry()
    const expected = structuredClone(entry)
    const entries = [entry]
    await store.add(entries, many)
    spoil(entry)
    entries.length = 0
    same(await allOf(store), [expected], 'after changing what was handed in')
    spoil((await allOf(store))[0])
    same(await allOf(store), [expected], 'after changing what list() returned')
  },

  'law 3: a user without entries has none, which is no error': async (store) => {
    await note(store)
    for (const userId of ['nobody', 'x'.repeat(10_000), ...hostileTexts]) {
      same(await store.list(userId, { limit: 9 }), [], `list(${show(userId)})`)
      same(await store.removeAll(userId), 0, `removeAll(${show(userId)})`)
    }
    await store.add([], many)
    same(await store.deleteExpired(new Date(0)), 0, 'deleteExpired()')
    same((await allOf(store)).length, 1, 'the number of entries of another user')
  },

  'law 4: a read sees every acknowledged write': async (store, second) => {
    const turn = inTurns(store, second)
    for (const round of range(20)) {
      const [writer, reader] = [turn(round), turn(round + 1)]
      const entry = await note(writer)
      same(await allOf(reader), [entry], 'list() after add()')
      same(await writer.removeAll(entry.userId), 1, 'removeAll()')
      same(await allOf(reader), [], 'list() after removeAll()')
    }
  },

  'law 5: an entry is there once, however often it is added': async (store, second) => {
    const first = await note(store)
    const { id, at } = first
    const others = [
      newActivityEntry({ id, at, data: { later: true } }),
      newActivityEntry({ id, at: new Date(Number(at) + 1000) }),
      newActivityEntry({ id, userId: 'user-2' }),
    ]
    for (const other of others) await second.add([other], many)
    same(await allOf(store), [first], 'the entry')
    same(await allOf(store, 'user-2'), [], 'the entries of another user')
    const beside = newActivityEntry({ at: new Date(Number(at) + 1) })
    await store.add([first, beside, ...others, structuredClone(beside)], many)
    same(await allOf(store), [beside, first], 'the entries after adding both')
    await store.removeAll(first.userId)
    await store.add([first], many)
    same(await allOf(store), [first], 'the entry after removeAll() and add()')
  },

  'law 5: an entry is there once if it is added by several at the same time': async (store, second) => {
    const turn = inTurns(store, second)
    for (const round of range(20)) {
      const userId = `user-${round}`
      const entries = range(3).map((n) => newActivityEntry({ userId, at: new Date(n) }))
      // In other orders, which must not lock each other out.
      const orders = [entries, entries.toReversed(), entries, entries.toReversed()]
      await Promise.all(orders.map((some, n) => turn(n).add(some, many)))
      same(idsOf(await allOf(store, userId)), idsOf(entries.toReversed()), 'the ids')
    }
  },

  'law 5: entries that are added at the same time are all there': async (store, second) => {
    const turn = inTurns(store, second)
    const entries = range(40).map((n) => newActivityEntry({ at: new Date(n) }))
    await Promise.all(range(20).map((n) => turn(n).add(entries.slice(2 * n, 2 * n + 2), many)))
    same(idsOf(await allOf(store)), idsOf(entries.toReversed()), 'the ids')
  },

  'law 5: hundreds of entries of hundreds of users are added at once': async (store) => {
    const entries = range(2500).map((n) => newActivityEntry({ userId: `user-${n % 250}`, at: new Date(n) }))
    await store.add(entries, many)
    for (const user of [0, 1, 249]) {
      const own = entries.filter(({ userId }) => userId === `user-${user}`).toReversed()
      same(await allOf(store, `user-${user}`), own, `the entries of the user ${user}`)
    }
    const { reads } = activityCalls(store, newActivityEntry({ userId: 'user-250' }))
    for (const [what, read] of Object.entries(reads)) same(await read(), [], `${what} of another user`)
  },
}

async function comeBack(store: ActivityStore, entries: readonly ActivityEntry[]): Promise<void> {
  const expected = structuredClone(entries)
  await store.add(entries, many)
  const found = await allOf(store)
  for (const each of expected)
    same(
      found.find(({ id }) => id === each.id),
      each,
      'an entry in list()',
    )
  same(found.length, expected.length, 'the number of entries')
}

/** Changes everything shared by reference. */
function spoil(entry: ActivityEntry | undefined): void {
  if (entry === undefined) return
  const { fields } = entry.data
  if (Array.isArray(fields)) fields.push('spoiled')
  entry.at.setTime(0)
  Object.assign(entry, { type: 'spoiled', device: 'spoiled' })
}
