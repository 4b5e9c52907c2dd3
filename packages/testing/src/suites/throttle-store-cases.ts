import type { ThrottleStore } from 'fastify-accounts'
import { raced } from './calls.js'
import { type ConformanceCase, casesOf, type Handles, inTurns, type Laws } from './cases.js'
import { check, pause, race, range, rounds, same, show } from './checks.js'
import { type OutageOptions, rejectsWhileDown } from './outage.js'
import { clearAllOf, countsOf, incrementAllOf, minute, throttleStoreKeyLaws } from './throttle-store-keys.js'

/**
 * The conformance suite of a `ThrottleStore`. Takes about seven seconds, because it waits for windows to end.
 *
 * Not included: what happens when the store is full, which needs tests of your own.
 *
 * @param makeStore makes an empty store at each call; or two stores on the same empty data, which then take turns in
 * races
 */
export function throttleStoreCases(
  makeStore: () => Promise<Handles<ThrottleStore>> | Handles<ThrottleStore>,
  options: OutageOptions = {},
): ConformanceCase[] {
  return casesOf({ ...laws, ...throttleStoreKeyLaws, ...outageLaws(options) }, makeStore)
}

function outageLaws({ fail }: OutageOptions): Laws<ThrottleStore> {
  return {
    'an outage is an error of every call: it lifts no limit, and counts nothing': async (store) => {
      const attempts = [{ key: 'key', windowMs: minute, max: 9 }]
      await store.increment('key', minute)
      const isOver = await rejectsWhileDown(fail, {
        'increment()': () => store.increment('key', minute),
        'decrement()': () => store.decrement('key'),
        'clear()': () => store.clear('key'),
        ...(store.incrementAll && { 'incrementAll()': async () => store.incrementAll?.(attempts) }),
        ...(store.clearAll && { 'clearAll()': async () => store.clearAll?.(['key']) }),
      })
      if (isOver) same((await store.increment('key', minute)).count, 2, 'the count after the outage')
    },
  }
}

/** A window whose end a case waits for: long enough for a slow store, and no whole number of seconds. */
const short = 1900
/** Waits until it has ended by every clock, but no longer if a store says that it continues. */
const isOver = ({ resetMs }: { resetMs: number }): Promise<void> => pause(Math.min(resetMs, short) + 250)

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
      const values = await raced(callers.map((n) => () => turn(n).increment(key, minute)))
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
    // Again if a busy machine was too late for the attempt shortly before the end.
    for (const key of ['key', 'another', 'a third']) {
      const start = performance.now()
      const first = await store.increment(key, short)
      await pause(400)
      const second = await store.increment(key, short)
      same(second.count, 2, 'the count within the window')
      check(
        second.resetMs < first.resetMs - 200,
        `resetMs went from ${first.resetMs} to ${second.resetMs} in 400 ms`,
      )
      await pause(start + short - 150 - performance.now())
      const third = await store.increment(key, short)
      const isInTime = performance.now() < start + short
      if (isInTime) same(third.count, 3, `the count shortly before the end of a window of ${short} ms`)
      await isOver(third)
      const fourth = await store.increment(key, minute)
      same(fourth.count, 1, 'the count after the window')
      check(fourth.resetMs > minute - 10_000, `resetMs is ${show(fourth.resetMs)} at the start of a minute`)
      if (isInTime) return
    }
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
      await raced<unknown>(
        callers.flatMap((n) => [() => turn(n).increment(key, minute), () => turn(n + 1).decrement(key)]),
      )
      same((await store.increment(key, minute)).count, callers.length + 1, 'the count')
    })
  },

  'clear forgets the attempts and the window': async (store) => {
    await store.clear('unknown')
    for (const windowMs of [short, minute, short]) {
      const first = await store.increment('key', windowMs)
      same(first.count, 1, 'the count at first, and after clear')
      check(
        first.resetMs > windowMs / 2 && first.resetMs <= windowMs,
        `resetMs is ${show(first.resetMs)} at the start of ${windowMs} ms, after clear`,
      )
      same((await store.increment('key', windowMs)).count, 2, 'the next count')
      await store.clear('key')
    }
  },

  'increment counts beyond a thousand': async (store, second) => {
    const turn = inTurns(store, second)
    for (const round of range(22)) {
      const values = await raced(range(50).map((n) => () => turn(n).increment('key', minute)))
      const highest = Math.max(...countsOf(values))
      same(highest, 50 * (round + 1), `the highest count after ${50 * (round + 1)} attempts`)
    }
    await store.decrement('key')
    same((await store.increment('key', minute)).count, 1100, 'the count after one was taken back')
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
      const values = await raced(callers.map((n) => () => turn(n)(attempts)))
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

  'clearAll forgets those keys only': async (store) => {
    const clearAll = clearAllOf(store)
    const groups = [
      ['one:{ada}', 'other:{ada}', 'third:{ada}'],
      ['one', 'other', 'third'],
    ] as const
    for (const [one, other, third] of groups) {
      for (const key of [one, one, other]) await store.increment(key, minute / 2)
      await store.increment(third, minute)
      await clearAll(['unknown', one, other])
      await clearAll([one, other])
      for (const key of [one, other]) {
        const { count, resetMs } = await store.increment(key, minute)
        same(count, 1, `the count of ${show(key)}`)
        check(resetMs > minute - 10_000, `resetMs of ${show(key)} is ${show(resetMs)} after clearAll`)
      }
      same((await store.increment(third, minute)).count, 2, `the count of ${show(third)}`)
    }
  },
}
