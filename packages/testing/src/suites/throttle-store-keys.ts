import type { ThrottleStore } from 'fastify-accounts'
import { type Laws, notChecked } from './cases.js'
import { halves, hostileTexts, nearlyEqualTexts, same, show } from './checks.js'

export const incrementAllOf = (store: ThrottleStore) =>
  store.incrementAll?.bind(store) ?? notChecked('incrementAll')
export const clearAllOf = (store: ThrottleStore) => store.clearAll?.bind(store) ?? notChecked('clearAll')
export const countsOf = (counted: readonly { count: number }[]): number[] => counted.map(({ count }) => count)

export const minute = 60_000

const keys: readonly string[] = [
  ...hostileTexts,
  ...nearlyEqualTexts,
  'x'.repeat(1000),
  `${'x'.repeat(999)}y`,
  'a%',
  '[a]',
  '{',
  '}',
  '{}',
  '{ada}',
  'a:{ada}',
  'a:{ad_}',
  '{{ada}}',
  '{bob}:{ada}',
  'address:ada@example.org',
  'address:%@example.org',
]

/** What each method does to keys, and to their counts. */
const methods: Record<
  string,
  { call(store: ThrottleStore, keys: readonly string[]): Promise<unknown>; after(count: number): number }
> = {
  increment: {
    call: (store, keys) => each(keys, (key) => store.increment(key, minute)),
    after: (count) => count + 1,
  },
  decrement: {
    call: (store, keys) => each(keys, (key) => store.decrement(key)),
    after: (count) => Math.max(0, count - 1),
  },
  clear: { call: (store, keys) => each(keys, (key) => store.clear(key)), after: () => 0 },
  incrementAll: {
    call: (store, keys) => incrementAllOf(store)(keys.map((key) => ({ key, windowMs: minute, max: 10_000 }))),
    after: (count) => count + 1,
  },
  clearAll: { call: (store, keys) => clearAllOf(store)(keys), after: () => 0 },
}

/** Laws about keys: every method takes them byte for byte, and none as a pattern. */
export const throttleStoreKeyLaws: Laws<ThrottleStore> = Object.fromEntries(
  Object.entries(methods).map(([name, { call, after }]) => [
    `${name} touches no other key, whatever their signs`,
    async (store: ThrottleStore, second: ThrottleStore) => {
      const counts = new Map(keys.map((key) => [key, 0]))
      for (const { chosen } of halves(keys)) {
        await call(store, chosen)
        for (const key of chosen) counts.set(key, after(counts.get(key) ?? 0))
        await Promise.all(
          keys.map(async (key) => {
            const expected = (counts.get(key) ?? 0) + 1
            counts.set(key, expected)
            const { count } = await second.increment(key, minute)
            const what = chosen.includes(key) ? `after ${name} of it` : `after ${name} of other keys`
            same(count, expected, `the count of ${show(key)} ${what}`)
          }),
        )
      }
    },
  ]),
)

async function each(keys: readonly string[], call: (key: string) => Promise<unknown>): Promise<void> {
  for (const key of keys) await call(key)
}
