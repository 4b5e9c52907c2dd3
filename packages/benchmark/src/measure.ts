import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Summary, summarize } from './statistics.js'

/** One operation, as one of two sides does it. */
export interface Side {
  /**
   * Prepares this many calls. Not timed.
   * @returns the function to time; call number `turn` counts from 0
   */
  prepare(calls: number): Call | Promise<Call>
}

/** Returns, at once or later, a truthy value if the operation did its work: a fast failure is not a fast operation. */
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

/** Microseconds per call. */
export interface Measured {
  /** Calls per round. */
  calls: number
  ours: Summary
  theirs?: Summary | undefined
  /** Ours divided by theirs, for rounds that ran one after the other; the summary is over those pairs. */
  ratio?: Summary | undefined
}

/**
 * Measures calls one after the other, in rounds: ours, theirs, theirs, ours, and so on, so other load on the machine
 * affects both. Many short rounds are better than few long ones: the median drops those that were disturbed.
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
  // Immediate results are awaited too: callers of a store do so in an async function either way.
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
