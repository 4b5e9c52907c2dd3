import { setImmediate as nextTurn } from 'node:timers/promises'
import { quotients, type Summary, summarize } from '../statistics.js'

/** One operation on one table. */
export interface Side<Input = unknown> {
  name: string
  /** The input of the next call. Drawn before the clock starts. */
  input(): Input
  /** Resolves to a truthy value if the operation did its work: a fast failure is not a fast operation. */
  work(input: Input): Promise<unknown>
}

/** Microseconds per call; the ratio, large through small, is over pairs of rounds that ran one after the other. */
export interface Growth {
  name: string
  small: number
  large: number
  ratio: Summary
}

const [warmUpMs, roundMs] = [300, 50]

/**
 * Measures calls one after the other, in rounds: small, large, large, small, and so on, so other load on the machine
 * affects both. Many short rounds are better than few long ones: the median drops those that were disturbed.
 */
export async function measureGrowth(
  small: Side,
  large: Side,
  rounds: number,
  signal: AbortSignal,
): Promise<Growth> {
  const calls = Math.min(await callsOfRound(small, signal), await callsOfRound(large, signal))
  const [smallTimes, largeTimes]: [number[], number[]] = [[], []]
  for (let round = 0; round < rounds; round++) {
    const order = [
      [small, smallTimes],
      [large, largeTimes],
    ] as const
    for (const [side, times] of round % 2 === 0 ? order : order.toReversed()) {
      times.push(await timeOfCall(side, calls, signal))
    }
  }
  return {
    name: small.name,
    small: summarize(smallTimes).median,
    large: summarize(largeTimes).median,
    ratio: summarize(quotients(largeTimes, smallTimes)),
  }
}

/** How many calls a round takes, from the last and longest part of the warm-up. */
async function callsOfRound(side: Side, signal: AbortSignal): Promise<number> {
  for (let calls = 1; ; calls *= 2) {
    const time = await timeOfCall(side, calls, signal)
    if (time * calls >= warmUpMs * 1000) return Math.max(1, Math.round((roundMs * 1000) / time))
  }
}

async function timeOfCall(side: Side, calls: number, signal: AbortSignal): Promise<number> {
  const inputs = Array.from({ length: calls }, side.input)
  await nextTurn()
  signal.throwIfAborted()
  const start = process.hrtime.bigint()
  for (const input of inputs) {
    if (!(await side.work(input))) throw new Error(`${side.name} did not do its work`)
  }
  return Number(process.hrtime.bigint() - start) / calls / 1000
}

/** Numbers from 0 to `end`, exclusive, the same in each run: the high bits of a linear congruential generator. */
export function draws(end: number): () => number {
  let state = 1
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * end)
  }
}
