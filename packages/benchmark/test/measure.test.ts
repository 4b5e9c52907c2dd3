import { afterEach, describe, expect, it, vi } from 'vitest'
import { measure } from '../src/measure.js'

const bounds = { warmUpMs: 2, rounds: 4, roundMs: 1, signal: new AbortController().signal }

/** Nanoseconds on a clock that only runs while a side works. */
let now = 0n
vi.spyOn(process.hrtime, 'bigint').mockImplementation(() => now)
afterEach(() => {
  now = 0n
})

/** A side that takes this many microseconds per call, and records the rounds it ran. */
function side(time: number, log: string[] = [], name = '') {
  return {
    prepare(calls: number) {
      log.push(`${name}${calls}`)
      return () => {
        now += BigInt(time * 1000)
        return true
      }
    },
  }
}

describe('measure', () => {
  it('alternates the sides in the order A B B A, with equally many calls each', async () => {
    const log: string[] = []
    const { calls } = await measure(side(100, log, 'a'), side(50, log, 'b'), bounds)
    expect(calls).toBe(10)
    expect(log.slice(-8)).toEqual(['a10', 'b10', 'b10', 'a10', 'a10', 'b10', 'b10', 'a10'])
  })

  it('divides ours by theirs, whichever ran first', async () => {
    expect(await measure(side(300), side(100), bounds)).toMatchObject({
      ours: { low: 300, median: 300, high: 300 },
      theirs: { low: 100, median: 100, high: 100 },
      ratio: { low: 3, median: 3, high: 3 },
    })
  })

  it('has no ratio if there is nothing to compare with', async () => {
    const { ours, theirs, ratio } = await measure(side(100), undefined, bounds)
    expect([ours.median, theirs, ratio]).toEqual([100, undefined, undefined])
  })

  it('rejects a call that did not do its work', async () => {
    const idle = { prepare: () => () => false }
    await expect(measure(idle, undefined, bounds)).rejects.toThrow('did not do its work')
  })

  it('stops when aborted', async () => {
    const signal = AbortSignal.abort(new Error('enough'))
    await expect(measure(side(100), undefined, { ...bounds, signal })).rejects.toThrow('enough')
  })
})
