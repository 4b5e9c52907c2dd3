import type { ThrottleStore } from '../seams/throttle-store.js'
import { type ConformanceCase, casesOf, type Handles, inTurns, type Laws } from './cases.js'
import {
  check,
  hostileTexts,
  nearlyEqualTexts,
  noErrors,
  pause,
  race,
  range,
  rounds,
  same,
  show,
} from './checks.js'

/**
 * What a `ThrottleStore` promises. Takes about five seconds of waiting for windows to end.
 *
 * Not among them: what happens when the store is full or cannot be reached, which belongs into the adapter's own tests.
 *
 * @param makeStore makes a store that is empty, at each call; or two stores on the same empty data, which then take
 * turns in races
 */
export function throttleStoreCases(
  makeStore: () => Promise<Handles<ThrottleStore>> | Handles<ThrottleStore>,
): ConformanceCase[] {
  return casesOf(laws, makeStore)
}

const minute = 60_000
/** A window that a case sees the end of: long enough for a store that is slow. */
const short = 2000
/** Waits until it has come to its end by every clock; no longer, where a store says that it goes on. */
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

  '200 calls at the same moment are counted one by one': async (store, second) => {
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

  'a window begins with the first try, and later tries do not move its end': async (store) => {
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

  'decrement takes one try back within the window, and leaves its end': async (store) => {
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

  'tries and returned tries at the same moment are all counted': async (store, second) => {
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

  'keys are compared letter for letter': async (store) => {
    const keys = [...hostileTexts, ...nearlyEqualTexts, 'x'.repeat(1000), `${'x'.repeat(999)}y`]
    for (const count of [1, 2]) {
      for (const key of keys) {
        same((await store.increment(key, minute)).count, count, `the count of ${show(key)}`)
      }
    }
  },

  'what increment returned can change without changing the store': async (store) => {
    const returned = await store.increment('key', minute)
    Object.assign(returned, { count: 0, resetMs: 0 })
    const { count, resetMs } = await store.increment('key', minute)
    same(count, 2, 'count')
    check(resetMs > minute - 10_000, `resetMs is ${show(resetMs)}`)
  },
}
