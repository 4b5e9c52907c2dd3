import { throttleStoreCases } from '@fastify-accounts/testing'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { createMemoryThrottleStore } from '../../src/defaults/memory-throttle-store.js'

for (const { name, run } of throttleStoreCases(() => createMemoryThrottleStore())) test(name, run)

afterEach(() => void vi.useRealTimers())

const minute = 60_000

async function count(store: ReturnType<typeof createMemoryThrottleStore>, key: string): Promise<number> {
  return (await store.increment(key, minute)).count
}

describe('a full store', () => {
  test("a flood of other keys doesn't evict a higher counter", async () => {
    const store = createMemoryThrottleStore({ maxKeys: 100 })
    for (let tries = 0; tries < 5; tries++) await count(store, 'victim')
    for (let index = 0; index < 10_000; index++) {
      // The flood counts each of its keys up to four.
      for (let tries = 0; tries <= index % 4; tries++) await count(store, `flood-${index}`)
    }
    expect(await count(store, 'victim')).toBe(6)
  })

  test("a flood of one kind of key doesn't evict a counter of another, however low", async () => {
    const store = createMemoryThrottleStore({ maxKeys: 100 })
    for (let index = 0; index < 40; index++) await count(store, `loginAccount:{${index}}`)
    for (let index = 0; index < 10_000; index++) await count(store, `ip:${index}`)
    for (let index = 0; index < 40; index++) expect(await count(store, `loginAccount:{${index}}`)).toBe(2)
  })

  test('has one bound for all kinds, however many there are', async () => {
    const store = createMemoryThrottleStore({ maxKeys: 300 })
    for (let index = 0; index < 1000; index++) await count(store, `${index}:`)
    const counts = []
    for (let index = 999; index >= 0; index--) counts.push(await count(store, `${index}:`))
    expect(counts.filter((each) => each === 2).length).toBeLessThanOrEqual(300)
  })

  test('evicts the counter with the lowest count, the oldest first', async () => {
    const store = createMemoryThrottleStore({ maxKeys: 4 })
    for (const key of ['high', 'high', 'high', 'old', 'old', 'new', 'new', 'lone']) await count(store, key)
    await count(store, 'a') // evicts lone
    await count(store, 'a')
    await count(store, 'b') // evicts old, the first that reached two
    expect(await count(store, 'high')).toBe(4)
    expect(await count(store, 'new')).toBe(3)
    expect(await count(store, 'a')).toBe(3)
    expect(await count(store, 'b')).toBe(2)
    expect(await count(store, 'old')).toBe(1)
  })

  test('evicts expired counters before any others, whatever their count', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: 1_000_000 })
    const store = createMemoryThrottleStore({ maxKeys: 3 })
    for (let tries = 0; tries < 9; tries++) await store.increment('short', 1000)
    for (const key of ['a', 'b']) await count(store, key)
    vi.setSystemTime(1_001_000)
    await count(store, 'c')
    expect(await count(store, 'a')).toBe(2)
    expect(await count(store, 'b')).toBe(2)
    expect(await count(store, 'c')).toBe(2)
  })

  test('a counter decremented to 0 is evicted first', async () => {
    const store = createMemoryThrottleStore({ maxKeys: 2 })
    for (const key of ['first', 'second']) await count(store, key)
    await store.decrement('second')
    await count(store, 'third')
    expect(await count(store, 'first')).toBe(2)
  })

  test('finds the lowest count again after its last counter was cleared', async () => {
    const store = createMemoryThrottleStore({ maxKeys: 3 })
    for (const key of ['one', 'two', 'two', 'four', 'four', 'four', 'four']) await count(store, key)
    await store.clear('one')
    for (const key of ['five', 'five', 'five', 'five', 'five', 'new']) await count(store, key)
    expect(await count(store, 'four')).toBe(5)
    expect(await count(store, 'five')).toBe(6)
    expect(await count(store, 'new')).toBe(2)
    expect(await count(store, 'two')).toBe(1)
  })

  test('is as fast in a flood as an empty store', async () => {
    const [empty, full] = [createMemoryThrottleStore(), createMemoryThrottleStore()]
    for (let index = 0; index < 100_000; index++) await count(full, `old-${index}`)
    const flood = async (store: typeof empty) => {
      const start = performance.now()
      for (let index = 0; index < 20_000; index++) await count(store, `new-${index}`)
      return performance.now() - start
    }
    const unhindered = await flood(empty)
    // Scanning all keys on each call would visit 2,000,000,000: a thousand times as long.
    expect(await flood(full)).toBeLessThan(50 * Math.max(unhindered, 20))
  })
})

test('a window ends exactly to the millisecond', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: 1_000_000 })
  const store = createMemoryThrottleStore()
  expect(await store.increment('key', 1000)).toEqual({ count: 1, resetMs: 1000 })
  vi.setSystemTime(1_000_999)
  expect(await store.increment('key', 1000)).toEqual({ count: 2, resetMs: 1 })
  vi.setSystemTime(1_001_000)
  expect(await store.increment('key', 1000)).toEqual({ count: 1, resetMs: 1000 })
})

test('setting the clock back forgets no counter', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: 1_000_000 })
  const store = createMemoryThrottleStore()
  await store.increment('a', 1000)
  vi.setSystemTime(900_000)
  await store.increment('b', 1000)
  vi.setSystemTime(901_000)
  expect((await store.increment('b', 1000)).count).toBe(1)
  expect((await store.increment('a', 1000)).count).toBe(2)
})

test.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])('maxKeys %s stops the start', (maxKeys) => {
  expect(() => createMemoryThrottleStore({ maxKeys })).toThrow(
    `createMemoryThrottleStore: maxKeys must be a whole number above 0, not ${maxKeys}`,
  )
})

test.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])('rejects a window of %s', async (windowMs) => {
  await expect(createMemoryThrottleStore().increment('key', windowMs)).rejects.toThrow('windowMs')
})
