import { breaksLaws, later } from '@fastify-accounts/test-support/sabotage'
import { createMemoryThrottleStore, type ThrottleStore } from 'fastify-accounts'
import { expect, test } from 'vitest'
import { runCases, throttleStoreCases } from '../../src/index.js'
import { failing } from './failing.js'

const sabotages: Record<
  string,
  [law: string, fault: (store: Required<ThrottleStore>) => Partial<ThrottleStore>]
> = {
  'counts from 0': [
    'increment counts from 1',
    (store) => ({
      increment: async (key, windowMs) => {
        const { count, resetMs } = await store.increment(key, windowMs)
        return { count: count - 1, resetMs }
      },
    }),
  ],
  'returns the time in seconds': [
    'increment counts from 1',
    (store) => ({
      increment: async (key, windowMs) => {
        const { count, resetMs } = await store.increment(key, windowMs)
        return { count, resetMs: resetMs / 1000 }
      },
    }),
  ],
  'reads before it writes': ['200 simultaneous calls', readThenWrite],
  'the window slides': ['a window begins with the first attempt', slide],
  'the window never ends': [
    'a window begins with the first attempt',
    (store) => ({ increment: (key, windowMs) => store.increment(key, windowMs * 1000) }),
  ],
  'decrement does nothing': [
    'decrement takes one attempt back',
    () => ({ decrement: async () => undefined }),
  ],
  'decrement clears': [
    'decrement takes one attempt back',
    (store) => ({ decrement: (key) => store.clear(key) }),
  ],
  'decrement goes below 0': ['decrement never goes below 0', goBelowZero],
  'clear does nothing': ['clear forgets', () => ({ clear: async () => undefined })],
  'keys are case-insensitive': [
    'increment touches no other key',
    (store) => ({ increment: (key, windowMs) => store.increment(key.toLowerCase(), windowMs) }),
  ],
  'clear takes the key as a pattern': [
    'clear touches no other key',
    (store) => onMatches(store, isLike, (key) => ({ clear: key(store.clear) })),
  ],
  'clear ignores case': [
    'clear touches no other key',
    (store) => onMatches(store, isSameWord, (key) => ({ clear: key(store.clear) })),
  ],
  'decrement takes the key as a pattern': [
    'decrement touches no other key',
    (store) => onMatches(store, isLike, (key) => ({ decrement: key(store.decrement) })),
  ],
  'decrement ignores case': [
    'decrement touches no other key',
    (store) => onMatches(store, isSameWord, (key) => ({ decrement: key(store.decrement) })),
  ],
  'clearAll takes keys as patterns': [
    'clearAll touches no other key',
    (store) =>
      onMatches(store, isLike, (key) => ({
        clearAll: async (keys) => void (await Promise.all(keys.map(key(store.clear)))),
      })),
  ],
  'a window ends at a whole second before': [
    'a window begins with the first attempt',
    (store) => ({
      increment: (key, windowMs) => store.increment(key, Math.floor(windowMs / 1000) * 1000),
    }),
  ],
  'a window ends a little early': ['a window begins with the first attempt', endEarly],
  'counts to 255': [
    'counts beyond a thousand',
    (store) => ({
      increment: async (key, windowMs) => {
        const { count, resetMs } = await store.increment(key, windowMs)
        return { count: Math.min(count, 255), resetMs }
      },
    }),
  ],
  'counts as text': ['counts beyond a thousand', countAsText],
  'clear keeps the window': ['clear forgets', keepWindow],
  'clearAll keeps the windows': [
    'clearAll forgets those keys only',
    (store) => {
      const { increment, clear } = keepWindow(store)
      return { increment, clearAll: async (keys) => void (await Promise.all(keys.map(clear))) }
    },
  ],
  'returns its own record': ['what increment returned', handOutRecord],
  'incrementAll uses separate counters': [
    'incrementAll counts each key',
    (_, other = createMemoryThrottleStore()) => ({ incrementAll: other.incrementAll }),
  ],
  'incrementAll gives all keys the first window': [
    'incrementAll counts each key',
    ({ incrementAll }) => ({
      incrementAll: (attempts) =>
        incrementAll(attempts.map((each) => ({ ...each, windowMs: attempts[0]?.windowMs ?? 0 }))),
    }),
  ],
  'incrementAll restarts the windows': [
    'incrementAll counts each key',
    (store) => ({
      incrementAll: eachInTurn(async (key, windowMs) => {
        const { count } = await store.increment(key, windowMs)
        await store.clear(key)
        for (let index = 1; index < count; index++) await store.increment(key, windowMs)
        return store.increment(key, windowMs)
      }),
    }),
  ],
  'incrementAll continues after an exhausted key': [
    'incrementAll stops',
    ({ incrementAll }) => ({
      incrementAll: (attempts) => incrementAll(attempts.map((each) => ({ ...each, max: 1000 }))),
    }),
  ],
  'incrementAll counts what it does not return': [
    'incrementAll stops',
    ({ incrementAll }) => ({
      async incrementAll(attempts) {
        const counts = await incrementAll(attempts.map((each) => ({ ...each, max: 1000 })))
        const exhausted = counts.findIndex(({ count }, at) => count > (attempts[at]?.max ?? 0))
        return exhausted < 0 ? counts : counts.slice(0, exhausted + 1)
      },
    }),
  ],
  'incrementAll stops one attempt too early': [
    'incrementAll stops',
    ({ incrementAll }) => ({
      incrementAll: (attempts) => incrementAll(attempts.map((each) => ({ ...each, max: each.max - 1 }))),
    }),
  ],
  'incrementAll stops before the exhausted key': [
    'incrementAll stops',
    ({ incrementAll }) => ({
      async incrementAll(attempts) {
        const counts = await incrementAll(attempts)
        return counts.filter(({ count }, at) => count <= (attempts[at]?.max ?? 0))
      },
    }),
  ],
  'incrementAll counts backwards': [
    'incrementAll stops',
    ({ incrementAll }) => ({
      incrementAll: async (attempts) => (await incrementAll(attempts.toReversed())).reverse(),
    }),
  ],
  'incrementAll reads before it counts': ['of many simultaneous calls of incrementAll', lookThenCount],
  'incrementAll matches keys by the part in braces': [
    'incrementAll touches no other key',
    ({ incrementAll }) => ({
      incrementAll: (attempts) =>
        incrementAll(attempts.map((each) => ({ ...each, key: /\{.+\}/.exec(each.key)?.[0] ?? each.key }))),
    }),
  ],
  'clearAll does nothing': ['clearAll forgets', () => ({ clearAll: async () => undefined })],
  'clearAll clears one key': [
    'clearAll forgets',
    (store) => ({ clearAll: ([key = '']) => store.clear(key) }),
  ],
  'clearAll clears everything of the account': [
    'clearAll forgets',
    (store) => ({ clearAll: (keys) => store.clearAll([...keys, 'third:{ada}']) }),
  ],
}
for (const [fault, [law, sabotage]] of Object.entries(sabotages)) {
  test.concurrent(`detected by ${law}: ${fault}`, async () => {
    const cases = throttleStoreCases(() => {
      const store = createMemoryThrottleStore()
      return { ...store, ...sabotage(store) }
    })
    await breaksLaws(cases, law)
  })
}

test.each<[string, (store: Required<ThrottleStore>) => Partial<ThrottleStore>]>([
  ['none', () => ({})],
  [
    'an outage lifts the limit',
    ({ increment }) => ({
      increment: (key, windowMs) => increment(key, windowMs).catch(() => ({ count: 1, resetMs: windowMs })),
    }),
  ],
  ['clear hides an outage', ({ clear }) => ({ clear: (key) => clear(key).catch(() => undefined) })],
])('an outage, with this fault: %s', async (fault, sabotage) => {
  const { fail, over } = failing()
  const cases = throttleStoreCases(
    () => {
      const store = over(createMemoryThrottleStore())
      return { ...store, ...sabotage(store) }
    },
    { fail },
  ).filter(({ name }) => name.startsWith('an outage'))
  if (fault === 'none') expect((await runCases(cases, () => undefined)).failures).toEqual([])
  else await breaksLaws(cases, 'an outage')
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

/** Whether SQL's LIKE without an escape finds this key. */
function isLike(pattern: string, key: string): boolean {
  const parts = [...pattern].map((sign) => {
    if (sign === '%') return '.*'
    return sign === '_' ? '.' : sign.replace(/[\\^$.*+?()[\]{}|/-]/, '\\$&')
  })
  return new RegExp(`^${parts.join('')}$`, 'su').test(key)
}

function isSameWord(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}

/** A store whose method also does to others what it does to a key. */
function onMatches(
  store: Required<ThrottleStore>,
  matches: (given: string, key: string) => boolean,
  broken: (
    key: (method: (key: string) => Promise<void>) => (given: string) => Promise<void>,
  ) => Partial<ThrottleStore>,
): Partial<ThrottleStore> {
  const keys = new Set<string>()
  const each = (method: (key: string) => Promise<void>) => async (given: string) => {
    for (const key of keys) if (matches(given, key) || key === given) await method(key)
  }
  return {
    increment(key, windowMs) {
      keys.add(key)
      return store.increment(key, windowMs)
    },
    ...broken(each),
  }
}

/** Its windows end 300 ms before they should, though it says otherwise. */
function endEarly(store: Required<ThrottleStore>): Partial<ThrottleStore> {
  return {
    increment: async (key, windowMs) => {
      const { count, resetMs } = await store.increment(key, windowMs - 300)
      return { count, resetMs: resetMs + 300 }
    },
  }
}

/** Loses what doesn't fit into three digits. */
function countAsText(store: Required<ThrottleStore>): Partial<ThrottleStore> {
  return {
    increment: async (key, windowMs) => {
      const { count, resetMs } = await store.increment(key, windowMs)
      return { count: Number(`${count}`.slice(0, 3)), resetMs }
    },
  }
}

/** Forgets the attempts, but not the window. */
function keepWindow(store: Required<ThrottleStore>) {
  const windows = new Map<string, number>()
  return {
    increment: async (key: string, windowMs: number) => {
      const { count } = await store.increment(key, windowMs)
      const endsAt = windows.get(key) ?? Date.now() + windowMs
      windows.set(key, endsAt)
      return { count, resetMs: endsAt - Date.now() }
    },
    clear: (key: string) => store.clear(key),
  }
}

function eachInTurn(increment: ThrottleStore['increment']): NonNullable<ThrottleStore['incrementAll']> {
  return async (attempts) => {
    const counts: Awaited<ReturnType<typeof increment>>[] = []
    for (const { key, windowMs, max } of attempts) {
      const counted = await increment(key, windowMs)
      counts.push(counted)
      if (counted.count > max) break
    }
    return counts
  }
}

function lookThenCount(store: Required<ThrottleStore>): Partial<ThrottleStore> {
  const counts = new Map<string, number>()
  return {
    ...store,
    incrementAll: eachInTurn(async (key, windowMs) => {
      const count = 1 + (counts.get(key) ?? 0)
      await later()
      counts.set(key, count)
      return { count, resetMs: windowMs }
    }),
  }
}

function readThenWrite(): Partial<ThrottleStore> {
  const counts = new Map<string, number>()
  return {
    increment: async (key, windowMs) => {
      const count = counts.get(key) ?? 0
      await later()
      counts.set(key, count + 1)
      return { count: count + 1, resetMs: windowMs }
    },
  }
}

function slide(store: ThrottleStore): Partial<ThrottleStore> {
  return {
    increment: async (key, windowMs) => {
      const { count } = await store.increment(key, windowMs)
      await store.clear(key)
      for (let index = 1; index < count; index++) await store.increment(key, windowMs)
      return store.increment(key, windowMs)
    },
  }
}

function goBelowZero(): Partial<ThrottleStore> {
  const counts = new Map<string, number>()
  const add = (key: string, number: number) => {
    counts.set(key, (counts.get(key) ?? 0) + number)
    return counts.get(key) ?? 0
  }
  return {
    increment: async (key, windowMs) => ({ count: add(key, 1), resetMs: windowMs }),
    decrement: async (key) => void add(key, -1),
  }
}

function handOutRecord(store: ThrottleStore): Partial<ThrottleStore> {
  const records = new Map<string, { count: number; resetMs: number }>()
  return {
    increment: async (key, windowMs) => {
      const record = records.get(key) ?? { count: 0, resetMs: 0 }
      records.set(key, record)
      const { resetMs } = await store.increment(key, windowMs)
      return Object.assign(record, { count: record.count + 1, resetMs })
    },
  }
}
