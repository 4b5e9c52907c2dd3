import { later } from '@fastify-accounts/test-support/sabotage'
import { createMemoryThrottleStore, type ThrottleStore } from 'fastify-accounts'
import { expect, test } from 'vitest'
import { runCases, throttleStoreCases } from '../../src/index.js'
import { failing } from './failing.js'
import {
  detects,
  given,
  hides,
  type Mistake,
  type Mistakes,
  type Mutations,
  rarely,
  result,
  says,
} from './mutations.js'

type Store = Required<ThrottleStore>
type Counted = Awaited<ReturnType<Store['increment']>>
type Attempts = Parameters<Store['incrementAll']>[0]

/** What is counted is told in another way. */
const counts = (other: (counted: Counted, key: string) => Partial<Counted>): Mistake<Store, 'increment'> =>
  result((counted, key) => ({ ...counted, ...other(counted, key) }))
const windows =
  (other: (windowMs: number) => number): Mistake<Store, 'increment'> =>
  (call) =>
  (key, windowMs) =>
    call(key, other(windowMs))
const attempts = (other: (each: Attempts[number], all: Attempts) => object): Mistake<Store, 'incrementAll'> =>
  given((all) => all.map((each) => ({ ...each, ...other(each, all) })))
/** Whether SQL's LIKE without an escape finds this key. */
const isLike = (pattern: string, key: string) => {
  const parts = [...pattern].map((sign) => {
    if (sign === '%') return '.*'
    return sign === '_' ? '.' : sign.replace(/[\\^$.*+?()[\]{}|/-]/, '\\$&')
  })
  return new RegExp(`^${parts.join('')}$`, 'su').test(key)
}
const isSameWord = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()
/** A method also does to others what it does to a key. */
const onMatches =
  (
    matches: (given: string, key: string) => boolean,
    broken: (
      key: (method: (key: string) => Promise<void>) => (given: string) => Promise<void>,
      store: Store,
    ) => Partial<Store>,
  ): Mistakes<Store> =>
  (store) => {
    const keys = new Set<string>()
    const each = (method: (key: string) => Promise<void>) => async (given: string) => {
      for (const key of keys) if (matches(given, key) || key === given) await method(key)
    }
    const increment = (key: string, windowMs: number) => {
      keys.add(key)
      return store.increment(key, windowMs)
    }
    return { increment, ...broken(each, store) }
  }
/** Begins the window again. */
const restarts = async (store: ThrottleStore, key: string, windowMs: number): Promise<Counted> => {
  const { count } = await store.increment(key, windowMs)
  await store.clear(key)
  for (let index = 1; index < count; index++) await store.increment(key, windowMs)
  return store.increment(key, windowMs)
}
/** Reads, and writes a moment later. */
const looksThenCounts =
  (counted = new Map<string, number>()) =>
  async (key: string, resetMs: number) => {
    const count = 1 + (counted.get(key) ?? 0)
    await later()
    counted.set(key, count)
    return { count, resetMs }
  }
const eachInTurn =
  (increment: ThrottleStore['increment']): Store['incrementAll'] =>
  async (all) => {
    const counted: Counted[] = []
    for (const { key, windowMs, max } of all) {
      counted.push(await increment(key, windowMs))
      if ((counted.at(-1)?.count ?? 0) > max) break
    }
    return counted
  }
/** Forgets the attempts, but not the window. */
const keepsWindow = (store: Store) => {
  const ends = new Map<string, number>()
  return {
    increment: async (key: string, windowMs: number) => {
      const { count } = await store.increment(key, windowMs)
      const endsAt = ends.get(key) ?? Date.now() + windowMs
      ends.set(key, endsAt)
      return { count, resetMs: endsAt - Date.now() }
    },
    clear: (key: string) => store.clear(key),
  }
}

const mutations: Mutations<Store> = {
  'increment counts from 1': {
    increment: {
      'from 0': counts(({ count }) => ({ count: count - 1 })),
      'the time is in seconds': counts(({ resetMs }) => ({ resetMs: resetMs / 1000 })),
    },
  },
  '200 simultaneous calls': {
    increment: {
      'it reads before it writes': () => looksThenCounts(),
      'one key in twenty counts to ten': (call, store, isRare = rarely()) =>
        counts(({ count }, key) => ({ count: isRare(key) ? Math.min(count, 10) : count }))(call, store),
    },
  },
  'a window begins with the first attempt': {
    increment: {
      'it slides': (_, store) => (key, windowMs) => restarts(store, key, windowMs),
      'it never ends': windows((windowMs) => windowMs * 1000),
      'it ends at a whole second before': windows((windowMs) => Math.floor(windowMs / 1000) * 1000),
      'it ends a little before it says': (call, store) =>
        windows((windowMs) => windowMs - 300)(
          counts(({ resetMs }) => ({ resetMs: resetMs + 300 }))(call, store),
          store,
        ),
    },
  },
  'counts beyond a thousand': {
    increment: {
      'to 255': counts(({ count }) => ({ count: Math.min(count, 255) })),
      'in three digits': counts(({ count }) => ({ count: Number(`${count}`.slice(0, 3)) })),
    },
  },
  'what increment returned': {
    increment: {
      'it is its own record':
        (call, _, records = new Map<string, Counted>()) =>
        async (key, windowMs) => {
          const record = records.get(key) ?? { count: 0, resetMs: 0 }
          records.set(key, record)
          const { resetMs } = await call(key, windowMs)
          return Object.assign(record, { count: record.count + 1, resetMs })
        },
    },
  },
  'increment touches no other key': { increment: { 'in any case': given((key) => key.toLowerCase()) } },
  'decrement takes one attempt back': {
    decrement: { 'it does nothing': says(undefined), 'it clears': (_, store) => (key) => store.clear(key) },
  },
  'decrement never goes below 0': {
    several: {
      'it does': () => {
        const counted = new Map<string, number>()
        const add = (key: string, number: number) => {
          counted.set(key, (counted.get(key) ?? 0) + number)
          return counted.get(key) ?? 0
        }
        return {
          increment: async (key, resetMs) => ({ count: add(key, 1), resetMs }),
          decrement: async (key) => void add(key, -1),
        }
      },
    },
  },
  'simultaneous increments and decrements': {
    decrement: {
      'one key in twenty is left':
        (call, _, isRare = rarely()) =>
        async (key) =>
          isRare(key) ? undefined : call(key),
    },
  },
  'decrement touches no other key': {
    several: {
      'the key is a pattern': onMatches(isLike, (key, { decrement }) => ({ decrement: key(decrement) })),
      'in any case': onMatches(isSameWord, (key, { decrement }) => ({ decrement: key(decrement) })),
    },
  },
  'clear forgets': { clear: { nothing: says(undefined) }, several: { 'but not the window': keepsWindow } },
  'clear touches no other key': {
    several: {
      'the key is a pattern': onMatches(isLike, (key, { clear }) => ({ clear: key(clear) })),
      'in any case': onMatches(isSameWord, (key, { clear }) => ({ clear: key(clear) })),
    },
  },
  'clearAll touches no other key': {
    several: {
      'keys are patterns': onMatches(isLike, (key, { clear }) => ({
        clearAll: async (keys) => void (await Promise.all(keys.map(key(clear)))),
      })),
    },
  },
  'clearAll forgets': {
    clearAll: {
      nothing: says(undefined),
      'one key':
        (_, store) =>
        ([key = '']) =>
          store.clear(key),
      'everything of the account': given((keys) => [...keys, 'third:{ada}']),
    },
  },
  'clearAll forgets those keys only': {
    several: {
      'but not the windows': (store) => {
        const { increment, clear } = keepsWindow(store)
        return { increment, clearAll: async (keys) => void (await Promise.all(keys.map(clear))) }
      },
    },
  },
  'incrementAll counts each key': {
    incrementAll: {
      apart: (_call, _store, other = createMemoryThrottleStore()) => other.incrementAll,
      'in the window of the first': attempts((_, [first]) => ({ windowMs: first?.windowMs ?? 0 })),
      'windows begin again': (_, store) => eachInTurn((key, windowMs) => restarts(store, key, windowMs)),
    },
  },
  'incrementAll stops': {
    incrementAll: {
      never: attempts(() => ({ max: 1000 })),
      'but counts the others': (call) => async (all) => {
        const counted = await call(all.map((each) => ({ ...each, max: 1000 })))
        const exhausted = counted.findIndex(({ count }, at) => count > (all[at]?.max ?? 0))
        return exhausted < 0 ? counted : counted.slice(0, exhausted + 1)
      },
      'one attempt too early': attempts(({ max }) => ({ max: max - 1 })),
      'before the exhausted key': result((counted, all) =>
        counted.filter(({ count }, at) => count <= (all[at]?.max ?? 0)),
      ),
      backwards: (call) => async (all) => (await call(all.toReversed())).reverse(),
    },
  },
  'of many simultaneous calls of incrementAll': {
    incrementAll: {
      'it reads before it counts': () => eachInTurn(looksThenCounts()),
      'one in twenty counts the next key as well':
        (call, store, isRare = rarely()) =>
        async (all) => {
          const counted = await call(all)
          const [, next] = all
          if (counted.length > 1 || !next || !isRare(next.key)) return counted
          return [...counted, await store.increment(next.key, next.windowMs)]
        },
    },
  },
  'incrementAll touches no other key': {
    incrementAll: {
      'keys are their part in braces': attempts(({ key }) => ({ key: /\{.+\}/.exec(key)?.[0] ?? key })),
    },
  },
}
detects<Store>((mutate) => throttleStoreCases(() => mutate(createMemoryThrottleStore())), mutations, {
  atOnce: true,
})

/** What a store may make of an outage. */
const unavailable = (mutate: (store: Store) => Store) => {
  const { fail, over } = failing()
  return throttleStoreCases(() => mutate(over(createMemoryThrottleStore())), { fail })
}
detects<Store>(unavailable, {
  'an outage': {
    increment: { 'there is no limit': hides({ count: 1, resetMs: 1000 }) },
    clear: { 'nothing has happened': hides(undefined) },
  },
})
test('a store whose database fails passes the law about outages', async () => {
  const own = unavailable((store) => store).filter(({ name }) => name.startsWith('an outage'))
  expect((await runCases(own, () => undefined)).failures).toEqual([])
})

test('without the optional methods, their laws are skipped, and the report says so', async () => {
  const lines: string[] = []
  const cases = throttleStoreCases(() => {
    const { increment, decrement, clear } = createMemoryThrottleStore()
    return { increment, decrement, clear }
  })
  await runCases(cases, (line) => lines.push(line))
  expect(lines).toEqual(['12 of 19 laws hold; not checked: incrementAll, clearAll, fail'])
})
