import { closesBadly, later } from '@fastify-accounts/test-support/sabotage'
import {
  type ActivityEntry,
  closable,
  createMemoryActivityStore,
  InvalidArgumentError,
  type ActivityStore as Store,
} from 'fastify-accounts'
import { expect, test } from 'vitest'
import { activityStoreCases, newActivityEntry, runCases } from '../../src/index.js'
import { failing } from './failing.js'
import {
  detects,
  each,
  fails,
  forEach,
  given,
  goesOn,
  hides,
  type Mistake,
  type Mutations,
  ofText,
  overdue,
  remembers,
  result,
  says,
  second,
  whenever,
} from './mutations.js'

const broken = (mutate: (store: Store) => Store) =>
  activityStoreCases(() => mutate(closable(createMemoryActivityStore(), () => {})))

/** It stores something else. */
const keeps = (other: (entry: ActivityEntry) => Partial<ActivityEntry>): Mistake<Store, 'add'> =>
  given((entries) => entries.map((entry) => ({ ...entry, ...other(entry) })))

/** It finds something else. */
const finds = (other: (entries: ActivityEntry[]) => ActivityEntry[]): Mistake<Store, 'list'> =>
  result((entries) => other(entries))

const whole = (time: Date): Date => new Date(Math.floor(Number(time) / 1000) * 1000)
const inAnyCase = ofText((text) => text.toLowerCase())
const all = { limit: 99_999 }

const mutations: Mutations<Store> = {
  'law 1: an entry comes back': {
    add: {
      'times lose their milliseconds': keeps(({ at }) => ({ at: whole(at) })),
      'the person did it': keeps(() => ({ actor: 'request' })),
      'an empty device is none': keeps(({ device }) => ({ device: device || null })),
      'no network is empty': keeps(({ network }) => ({ network: network ?? '' })),
      'devices are cut': keeps(({ device }) => ({ device: ofText((text) => text.slice(0, 100))(device) })),
      'devices are trimmed': keeps(({ device }) => ({ device: ofText((text) => text.normalize())(device) })),
    },
    list: { 'something is added': finds((found) => found.map((entry) => ({ ...entry, seen: true }))) },
  },
  'law 1: what an entry tells': {
    add: {
      'it is cut': keeps(({ data }) => (JSON.stringify(data).length > 4000 ? { data: {} } : {})),
      'what is falsy is missing': keeps(({ data }) => ({
        data: Object.fromEntries(Object.entries(data).filter(([, value]) => value)),
      })),
    },
  },
  'law 2:': {
    list: { 'it returns the record itself': remembers },
    several: {
      'it keeps its arguments': (store) => {
        const known = new Map<string, ActivityEntry>()
        return {
          async add(entries, keep) {
            for (const entry of entries) known.set(entry.id, entry)
            return store.add(entries, keep)
          },
          async list(userId, query) {
            return (await store.list(userId, query)).map((entry) => known.get(entry.id) ?? entry)
          },
        }
      },
    },
  },
  'law 3:': {
    list: {
      'it is undefined': result((found) => (found.length > 0 ? found : (undefined as never))),
      'the user is a pattern': given((userId) => (userId === '%' ? 'user-1' : userId)),
    },
    removeAll: { 'it counts one more': result((count) => count + 1) },
    deleteExpired: { 'it counts those that are left': says(1) },
    add: {
      'none are refused': (call) => async (entries, keep) => {
        if (entries.length === 0) throw new InvalidArgumentError('no entries')
        return call(entries, keep)
      },
    },
  },
  'law 4:': {
    list: {
      'it remembers': (call) => {
        const list = remembers(call)
        return async (userId, query) => structuredClone(await list(userId, query))
      },
    },
  },
  'law 5: an entry is there once, however': {
    several: {
      'the later one replaces it': (store) => ({
        async add(entries, keep) {
          const old = (await store.list('user-1', all)).filter(({ id }) =>
            entries.every((one) => one.id !== id),
          )
          await store.removeAll('user-1')
          return store.add([...old, ...entries], keep)
        },
      }),
    },
    add: {
      'a second one is refused': (call, store) => async (entries, keep) => {
        const ids = (await store.list('user-1', all)).map(({ id }) => id)
        if (entries.some(({ id }) => ids.includes(id))) throw new InvalidArgumentError('id is in use')
        return call(entries, keep)
      },
      'with one that is there, none is added': (call, store) => async (entries, keep) => {
        const ids = (await store.list('user-1', all)).map(({ id }) => id)
        return call(entries.some(({ id }) => ids.includes(id)) ? [] : entries, keep)
      },
      'once for each user': keeps(({ id, userId }) => ({ id: userId === 'user-1' ? id : `${id} ${userId}` })),
      'it remembers what was removed': (call) => {
        const known = new Set<string>()
        return async (entries, keep) => {
          const fresh = entries.filter(({ id }) => !known.has(id))
          for (const { id } of fresh) known.add(id)
          return call(fresh, keep)
        }
      },
    },
  },
  'law 5: an entry is there once if': {
    add: {
      'who is second is refused': (call) => {
        const underWay = new Set<string>()
        return async (entries, keep) => {
          const isTaken = entries.some(({ id }) => underWay.has(id))
          for (const { id } of entries) underWay.add(id)
          await later()
          if (isTaken) throw new Error('deadlock')
          return call(entries, keep)
        }
      },
    },
  },
  'law 5: entries that are added': {
    several: {
      'it writes all that it has read': (store) => ({
        async add(entries, keep) {
          const old = await store.list('user-1', all)
          await later()
          await store.removeAll('user-1')
          return store.add([...old, ...entries], keep)
        },
      }),
    },
  },
  'law 5: hundreds': {
    add: {
      'a thousand are added': given((entries) => entries.slice(0, 1000)),
      'of one user': given((entries) => entries.filter(({ userId }) => userId === entries[0]?.userId)),
    },
    list: { 'it ends at five': finds((found) => found.slice(0, 5)) },
  },
  'law 6: add keeps': {
    add: {
      'all of them': second(() => 99_999),
      'one more': second((keep) => keep + 1),
      'of the first user': (call, store) => async (entries, keep) => {
        const first = entries.filter(({ userId }) => userId === entries[0]?.userId)
        await call(first, keep)
        return store.add(entries, 99_999)
      },
      'of every user': (call, store) => async (entries, keep) => {
        await call(entries, keep)
        const other = await store.list('user-3', { limit: keep === 3 ? 1 : 99 })
        await store.removeAll('user-3')
        return store.add(other, 99_999)
      },
      'of all together': (call, store) => async (entries, keep) => {
        const newest = entries.toSorted((one, other) => Number(other.at) - Number(one.at))
        await call(newest.slice(0, keep), 99_999)
        void store
      },
    },
  },
  'law 6: an entry older': {
    add: {
      'the last added stay': (call, store) => async (entries, keep) => {
        const old = await store.list('user-1', { limit: Math.max(keep - entries.length, 0) || 1 })
        if (keep < 99 && keep > 1) await store.removeAll('user-1')
        await call(keep > 1 ? old : [], 99_999)
        return call(entries, keep > 1 ? 99_999 : keep)
      },
      'only where the newest is new': (call, store) => async (entries, keep) => {
        const [newest] = await store.list('user-1', { limit: 1 })
        const isNewer = entries.some(({ at }) => newest === undefined || at > newest.at)
        return call(entries, isNewer ? keep : 99_999)
      },
    },
  },
  'law 6: of entries of one time': {
    add: {
      'others than a list begins with': (call, store) => async (entries, keep) => {
        if (keep > 9) return call(entries, keep)
        await call(entries, 99_999)
        const found = await store.list('user-1', all)
        await store.removeAll('user-1')
        return call(found.slice(-keep), keep)
      },
      'all of one time': (call, store) => async (entries, keep) => {
        const found = await store.list('user-1', all)
        const isOne = new Set(found.map(({ at }) => Number(at))).size === 1
        return call(entries, isOne ? 99_999 : keep)
      },
    },
  },
  'law 6: once calls': {
    add: {
      'one goes': (call, store) => async (entries, keep) => {
        await call(entries, 99_999)
        const { userId = '' } = entries[0] ?? {}
        const found = await store.list(userId, all)
        await later()
        if (found.length <= keep) return
        await store.removeAll(userId)
        await call(found.slice(0, -1), 99_999)
      },
    },
  },
  'law 7: users are': {
    list: {
      'in any case': given(inAnyCase),
      'spaces are cut': given(ofText((text) => text.trim() || text)),
    },
    add: {
      'users are composed': keeps(({ userId }) => ({ userId: ofText((text) => text.normalize())(userId) })),
    },
    removeAll: {
      'in any case': (_, store) => async (userId) => {
        const other = userId === 'A' ? 'a' : userId
        return (await store.removeAll(userId)) + (other === userId ? 0 : await store.removeAll(other))
      },
      'a pattern': (call, store) => async (userId) => {
        if (userId === '%') for (const other of ['_', '*', '.*']) await store.removeAll(other)
        return call(userId)
      },
    },
  },
  'law 7: anything but': {
    list: { 'keys may be of any type': hides([]) },
    removeAll: { 'keys may be of any type': hides(0) },
    add: {
      'keys may be of any type': hides<Store['add']>(undefined),
      'those before are kept': (call) => async (entries, keep) => {
        for (const entry of entries) await call([entry], keep)
      },
    },
  },
  'law 7: long ids': {
    add: {
      'users are cut': keeps(({ userId }) => ({ userId: ofText((text) => text.slice(0, 255))(userId) })),
      'ids are cut': keeps(({ id }) => ({ id: ofText((text) => text.slice(0, 255))(id) })),
      'short ones only': (call) => async (entries, keep) => {
        if (entries.some(({ id }) => `${id}`.length > 200)) throw new InvalidArgumentError('id is too long')
        return call(entries, keep)
      },
    },
  },
  'law 8: list returns': {
    list: {
      'the oldest is first': finds((found) => found.toReversed()),
      'the limit is ignored': second((query) => ({ ...query, limit: 99 })),
      'everybody’s': (call, store) => async (userId, query) => [
        ...(await call(userId, query)),
        ...(await store.list('user-2', query)),
      ],
      'it goes on after the time':
        (_, store) =>
        async (userId, { after, limit }) =>
          (await store.list(userId, all)).filter(({ at }) => !after || at < after.at).slice(0, limit),
      'it goes on at the position':
        (_, store) =>
        async (userId, { after, limit }) => {
          const found = await store.list(userId, all)
          return found.slice(after ? found.findIndex(({ id }) => id === after.id) : 0).slice(0, limit)
        },
    },
  },
  'law 8: a page begins': {
    list: {
      'where the entry was found':
        (_, store) =>
        async (userId, { after, limit }) => {
          const found = await store.list(userId, all)
          return found.slice(after ? found.findIndex(({ id }) => id === after.id) + 1 : 0).slice(0, limit)
        },
    },
  },
  'law 9:': {
    removeAll: {
      'a page of them': (call, store) => async (userId) => {
        const rest = (await store.list(userId, all)).slice(1000)
        const count = await call(userId)
        await store.add(rest, 99_999)
        return count
      },
      'it says nothing': result(() => undefined as never),
      'everybody’s': (call, store) => async (userId) => {
        await store.removeAll('user-2')
        return call(userId)
      },
    },
  },
  'law 10:': {
    deleteExpired: {
      'one portion': (call, store) => async (before) => {
        const kept = (await store.list('user-0', all)).slice(0, 1)
        const count = await call(before)
        await store.add(kept, 99_999)
        return count
      },
      'also at that time': given((before) => new Date(Number(before) + 1)),
      'not the last before it': given((before) => new Date(Number(before) - 1)),
      'it says nothing': result(() => undefined as never),
    },
  },
  'law 11: a call after': { several: { 'all are made': each(['add', 'removeAll'], whenever) } },
  'law 11: a call whose': {
    several: {
      ...forEach(['add', 'removeAll'] as const, (name) => each<Store, 'add' | 'removeAll'>([name], overdue)),
      'it goes on': each<Store, 'add' | 'removeAll'>(['add', 'removeAll'], goesOn),
    },
  },
  'law 13:': {
    several: {
      'close does not wait': (store) => closesBadly(store, { waits: false }),
      'close works only once': (store) => closesBadly(store, { twice: false }),
      'a closed store still works': (store) => closesBadly(store, { rejects: false }),
      'a closed store still lists': (store) => ({ ...closable(store, () => {}), list: store.list }),
    },
  },
}
detects(broken, mutations, { atOnce: true })

/** What a store may make of an outage. */
const unavailable = (mutate: (store: Store) => Store) => {
  const { fail, over } = failing()
  return activityStoreCases(() => mutate(over(createMemoryActivityStore())), { fail })
}
detects<Store>(unavailable, {
  'law 12:': {
    add: { 'they are there': hides<Store['add']>(undefined) },
    list: { 'there are none': hides([]) },
    removeAll: { 'the argument is invalid': fails(() => new InvalidArgumentError('userId')) },
    deleteExpired: { 'none has expired': hides(0) },
  },
})

test.each<[string, () => Store, notChecked: string[]]>([
  ['has all', () => closable(createMemoryActivityStore(), () => {}), ['fail']],
  ['has only what it must', createMemoryActivityStore, ['fail', 'close']],
])('a store that %s passes', async (_, make, notChecked) => {
  const { failures, skipped } = await runCases(activityStoreCases(make), () => undefined)
  expect(failures).toEqual([])
  const reasons = new Set(skipped.map(({ reason }) => reason))
  expect(reasons).toEqual(new Set(notChecked.map((name) => `not checked: ${name}`)))
})

test('a store whose database fails passes the law about outages', async () => {
  const own = unavailable((store) => store).filter(({ name }) => name.startsWith('law 12:'))
  expect((await runCases(own, () => undefined)).failures).toEqual([])
})

test('newActivityEntry makes entries that differ in id', () => {
  expect(newActivityEntry().id).not.toBe(newActivityEntry().id)
})
