import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Summary, summarize } from './statistics.js'

/** One operation, as one of two sides does it. */
export interface Side {
  /**
   * Makes ready so many calls. Not timed.
   * @returns what is timed; call number `turn` counts from 0
   */
  prepare(calls: number): Call | Promise<Call>
}

/** Returns, at once or later, something true where the operation did its work: a fast failure is no fast operation. */
export type Call = (turn: number) => unknown

export interface Bounds {
  /** How long each side runs before it is measured, in milliseconds: until the code is compiled and the caches warm. */
  warmUpMs: number
  /** Rounds of each side. */
  rounds: number
  /** About how long a round takes, in milliseconds. */
  roundMs: number
  /** Ends the measurement between two rounds. */
  signal: AbortSignal
}

/** Microseconds a call. */
export interface Measured {
  /** Calls a round. */
  calls: number
  ours: Summary
  theirs?: Summary | undefined
  /** Ours through theirs, of the rounds that ran one after the other; the summary is over those pairs. */
  ratio?: Summary | undefined
}

/**
 * Measures calls one after the other, in rounds: ours, theirs, theirs, ours, and so on, so that what else the machine
 * does falls on both. Many short rounds are better than few long ones: what disturbs some is gone from the median.
 */
export async function measure(ours: Side, theirs: Side | undefined, bounds: Bounds): Promise<Measured> {
  const sides = theirs ? [ours, theirs] : [ours]
  const calls = Math.min(...(await inTurn(sides, (side) => callsOfRound(side, bounds))))
  const pairs: [number, number][] = []
  for (let round = 0; round < bounds.rounds; round++) {
    const order = round % 2 === 0 ? sides : sides.toReversed()
    const times = await inTurn(order, (side) => timeOfCall(side, calls, bounds.signal))
    const [first = Number.NaN, second = Number.NaN] = times
    pairs.push(round % 2 === 0 || !theirs ? [first, second] : [second, first])
  }
  return {
    calls,
    ours: summarize(pairs.map(([our]) => our)),
    theirs: theirs && summarize(pairs.map(([, their]) => their)),
    ratio: theirs && summarize(pairs.map(([our, their]) => our / their)),
  }
}

/** How many calls a round takes, from the last and longest part of the warm-up. */
async function callsOfRound(side: Side, { warmUpMs, roundMs, signal }: Bounds): Promise<number> {
  for (let calls = 1; ; calls *= 2) {
    const time = await timeOfCall(side, calls, signal)
    if (time * calls >= warmUpMs * 1000) return Math.max(1, Math.round((roundMs * 1000) / time))
  }
}

async function timeOfCall(side: Side, calls: number, signal: AbortSignal): Promise<number> {
  const call = await side.prepare(calls)
  await nextTurn()
  signal.throwIfAborted()
  const start = process.hrtime.bigint()
  // What is at hand at once is awaited too: who asks a store does it in an asynchronous function either way.
  for (let turn = 0; turn < calls; turn++) {
    if (!(await call(turn))) throw new Error('the operation did not do its work')
  }
  return Number(process.hrtime.bigint() - start) / calls / 1000
}

async function inTurn<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  for (const item of items) results.push(await work(item))
  return results
}
