import { expect, it, vi } from 'vitest'
import { measureGrowth } from '../src/scale/measure.js'

/** Nanoseconds on a clock that only runs while a side works. */
let now = 0n
vi.spyOn(process.hrtime, 'bigint').mockImplementation(() => now)

/** A side that takes this many microseconds per call. */
function side(name: string, time: number, log: string[] = []) {
  return {
    name,
    input: () => log.push(name),
    async work() {
      now += BigInt(time * 1000)
      return true
    },
  }
}

const { signal } = new AbortController()

it('divides the large by the small, in rounds in the order A B B A', async () => {
  const log: string[] = []
  const [small, large] = [side('a', 50_000, log), side('b', 100_000, log)]
  const growth = await measureGrowth(small, large, 4, signal)
  expect(growth).toEqual({
    name: 'a',
    small: 50_000,
    large: 100_000,
    ratio: { low: 2, median: 2, high: 2 },
  })
  expect(log.slice(-8).join('')).toBe('abbaabba')
})

it('rejects a call that did not do its work, and stops when aborted', async () => {
  const idle = { ...side('idle', 1), work: async () => false }
  await expect(measureGrowth(idle, idle, 1, signal)).rejects.toThrow('idle did not do its work')
  const aborted = AbortSignal.abort(new Error('enough'))
  await expect(measureGrowth(side('a', 1), side('b', 1), 1, aborted)).rejects.toThrow('enough')
})
