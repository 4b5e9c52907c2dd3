import type { ThrottleStore } from '../seams/throttle-store.js'
import { noErrors } from './calls.js'
import { type ConformanceCase, casesOf, type Handles, inTurns, type Laws, notChecked } from './cases.js'
import { check, hostileTexts, nearlyEqualTexts, pause, race, range, rounds, same, show } from './checks.js'

/**
 * The conformance suite of a `ThrottleStore`. Takes about seven seconds, because it waits for windows to end.
 *
 * Not included: what happens when the store is full or unreachable, which needs tests of your own.
 *
 * @param makeStore makes an empty store at each call; or two stores on the same empty data, which then take turns in
 * races
 */
export function throttleStoreCases(
  makeStore: () => Promise<Handles<ThrottleStore>> | Handles<ThrottleStore>,
): ConformanceCase[] {
  return casesOf(laws, makeStore)
}

const minute = 60_000
/** A window whose end a case waits for: long enough for a slow store. */
const short = 2000
/** Waits until it has ended by every clock, but no longer if a store says that it continues. */
const isOver = ({ resetMs }: { resetMs: number }): Promise<void> => pause(Math.min(resetMs, short) + 250)

const incrementAllOf = (store: ThrottleStore) => store.incrementAll?.bind(store) ?? notChecked('incrementAll')
const clearAllOf = (store: ThrottleStore) => store.clearAll?.bind(store) ?? notChecked('clearAll')
const countsOf = (counted: readonly { count: number }[]): number[] => counted.map(({ count }) => count)

const laws: Laws<ThrottleStore> = {
  'increment counts from 1, and says when the window ends': async (store) => {
    for (const expected of [1, 2, 3]) {
      const { count, resetMs } = await store.increment('key', minute)
      same(count, expected, 'count')
      check(
        resetMs > minute - 10_000 && resetMs <= minute,
        `resetMs is ${show(resetMs)} at the start of a minute`,
      )
    }
  },

  '200 simultaneous calls are counted one by one': async (store, second) => {
    const turn = inTurns(store, second)
    await rounds(200, 20, async (callers, round) => {
      const key = `key ${round}`
      const { values, errors } = await race(callers.map((n) => () => turn(n).increment(key, minute)))
      noErrors(errors)
      const counts = values.map(({ count }) => count)
      const expected = callers.map((n) => n + 1)
      same(
        counts.sort((a, b) => a - b),
        expected,
        'the counts',
      )
      same((await store.increment(key, minute)).count, callers.length + 1, 'the count after them')
    })
  },

  'a window begins with the first attempt, and later attempts don’t move its end': async (store) => {
    const first = await store.increment('key', short)
    await pause(400)
    const second = await store.increment('key', short)
    same(second.count, 2, 'the count within the window')
    check(
      second.resetMs < first.resetMs - 200,
      `resetMs went from ${first.resetMs} to ${second.resetMs} in 400 ms`,
    )
    await isOver(second)
    const third = await store.increment('key', minute)
    same(third.count, 1, 'the count after the window')
    check(third.resetMs > minute - 10_000, `resetMs is ${show(third.resetMs)} at the start of a minute`)
  },

  'decrement takes one attempt back within the window, and leaves its end': async (store) => {
    for (const _ of range(3)) await store.increment('key', short)
    await store.decrement('key')
    await pause(400)
    const next = await store.increment('key', short)
    same(next.count, 3, 'the count after three tries, one of them taken back')
    check(next.resetMs < short - 200, `resetMs is ${show(next.resetMs)} after 400 of ${short} ms`)
    await isOver(next)
    await store.decrement('key')
    same((await store.increment('key', minute)).count, 1, 'the count after the window')
  },

  'decrement never goes below 0': async (store) => {
    await store.decrement('unknown')
    same((await store.increment('unknown', minute)).count, 1, 'the count of a key that was unknown')
    await store.increment('key', minute)
    await race(range(5).map(() => () => store.decrement('key')))
    same(
      (await store.increment('key', minute)).count,
      1,
      'the count after more was taken back than was tried',
    )
  },

  'simultaneous increments and decrements are all counted': async (store, second) => {
    const turn = inTurns(store, second)
    await rounds(50, 10, async (callers, round) => {
      const key = `key ${round}`
      for (const _ of callers) await store.increment(key, minute)
      const { errors } = await race<unknown>(
        callers.flatMap((n) => [() => turn(n).increment(key, minute), () => turn(n + 1).decrement(key)]),
      )
      noErrors(errors)
      same((await store.increment(key, minute)).count, callers.length + 1, 'the count')
    })
  },

  'clear forgets that key only': async (store) => {
    for (const key of ['key', 'key', 'other']) await store.increment(key, minute)
    await store.clear('unknown')
    await store.clear('key')
    same((await store.increment('key', minute)).count, 1, 'the count of the key')
    same((await store.increment('other', minute)).count, 2, 'the count of the other key')
  },

  'keys are compared byte for byte': async (store) => {
    const keys = [...hostileTexts, ...nearlyEqualTexts, 'x'.repeat(1000), `${'x'.repeat(999)}y`]
    for (const count of [1, 2]) {
      for (const key of keys) {
        same((await store.increment(key, minute)).count, count, `the count of ${show(key)}`)
      }
    }
  },

  'changing what increment returned doesn’t change the store': async (store) => {
    const returned = await store.increment('key', minute)
    Object.assign(returned, { count: 0, resetMs: 0 })
    const { count, resetMs } = await store.increment('key', minute)
    same(count, 2, 'count')
    check(resetMs > minute - 10_000, `resetMs is ${show(resetMs)}`)
  },

  'incrementAll counts each key as increment does, in a window of its own': async (store) => {
    const incrementAll = incrementAllOf(store)
    // Like the plugin's keys of one account: the part in braces is the same.
    const attempts = [
      { key: 'short:{ada}', windowMs: short, max: 9 },
      { key: 'long:{ada}', windowMs: minute, max: 9 },
    ] as const
    same(countsOf(await incrementAll(attempts)), [1, 1], 'the counts of the first call')
    await store.increment('short:{ada}', short)
    await store.decrement('long:{ada}')
    await pause(400)
    const counted = await incrementAll(attempts)
    same(countsOf(counted), [3, 1], 'the counts after increment of the one key, and decrement of the other')
    const [first, second] = counted.map(({ resetMs }) => resetMs) as [number, number]
    check(first > 0 && first < short - 200, `resetMs is ${show(first)} after 400 of ${short} ms`)
    check(
      second > minute - 10_000 && second < minute - 200,
      `resetMs is ${show(second)} after 400 ms of a minute`,
    )
    for (const each of counted) Object.assign(each, { count: 0, resetMs: 0 })
    await isOver({ resetMs: first })
    const later = await incrementAll(attempts)
    same(countsOf(later), [1, 2], 'the counts after the window of the first key')
    await store.clear('long:{ada}')
    same(countsOf(await incrementAll(attempts)), [2, 1], 'the counts after clear of the second key')
  },

  'incrementAll stops after the first key whose count exceeds its max': async (store) => {
    const incrementAll = incrementAllOf(store)
    const [high, low, last] = [
      { key: 'high:{ada}', windowMs: minute, max: 9 },
      { key: 'low:{ada}', windowMs: minute, max: 2 },
      { key: 'last:{ada}', windowMs: minute, max: 9 },
    ] as const
    for (const expected of [
      [1, 1, 1],
      [2, 2, 2],
      [3, 3],
      [4, 4],
    ]) {
      same(countsOf(await incrementAll([high, low, last])), expected, 'the counts')
    }
    same(countsOf(await incrementAll([low, high])), [5], 'the counts in another order')
    same(countsOf(await incrementAll([high, last])), [5, 3], 'the counts of the keys behind it')
    same(countsOf(await incrementAll([high, last, low])), [6, 4, 6], 'the counts with that key at the end')
  },

  'of many simultaneous calls of incrementAll, only max reach the next key': async (store, second) => {
    const turn = inTurns(incrementAllOf(store), incrementAllOf(second))
    await rounds(50, 10, async (callers, round) => {
      const attempts = [
        { key: `first:{${round}}`, windowMs: minute, max: 5 },
        { key: `next:{${round}}`, windowMs: minute, max: 100 },
      ]
      const { values, errors } = await race(callers.map((n) => () => turn(n)(attempts)))
      noErrors(errors)
      const counts = values.map(countsOf).sort(([a = 0], [b = 0]) => a - b)
      same(
        counts.map(([first]) => first),
        callers.map((n) => n + 1),
        'the counts of the first key',
      )
      const next = counts.map(([, next]) => next)
      same(
        next.slice(5),
        callers.slice(5).map(() => undefined),
        'the counts of the next key, beyond max',
      )
      same(next.slice(0, 5).sort(), [1, 2, 3, 4, 5], 'the counts of the next key')
    })
  },

  'incrementAll takes any keys': async (store) => {
    const incrementAll = incrementAllOf(store)
    const keys = [
      ...hostileTexts,
      ...nearlyEqualTexts,
      '{',
      '}',
      '{}',
      '{ada}',
      'a:{ada}',
      '{{ada}}',
      '{bob}:{ada}',
    ]
    const attempts = keys.map((key) => ({ key, windowMs: minute, max: 2 }))
    for (const count of [1, 2]) {
      same(
        countsOf(await incrementAll(attempts)),
        keys.map(() => count),
        'the counts',
      )
    }
    same(countsOf(await incrementAll(attempts)), [3], 'the counts after the first exceeds its max')
  },

  'clearAll forgets those keys only': async (store) => {
    const clearAll = clearAllOf(store)
    const groups = [
      ['one:{ada}', 'other:{ada}', 'third:{ada}'],
      ['one', 'other', 'third'],
    ] as const
    for (const [one, other, third] of groups) {
      for (const key of [one, one, other, third]) await store.increment(key, minute)
      await clearAll(['unknown', one, other])
      await clearAll([one, other])
      for (const key of [one, other]) {
        same((await store.increment(key, minute)).count, 1, `the count of ${show(key)}`)
      }
      same((await store.increment(third, minute)).count, 2, `the count of ${show(third)}`)
    }
  },
}
