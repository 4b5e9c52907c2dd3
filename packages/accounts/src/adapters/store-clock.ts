import { compareClocks } from './compare-clocks.js'

/**
 * The time by which processes agree on what has ended, in milliseconds since 1970: a store's, because the clocks of
 * processes differ. Rejects as the store does: a process whose clock may be wrong doesn't decide.
 */
export type StoreClock = () => Promise<number>

/** Milliseconds after which the store is asked again. */
const period = 60_000

/** How far the clocks of the process may have moved apart since then, in milliseconds. */
const drift = 1000

/** @param askStore the store's clock; without it, that of the process is used */
export function createStoreClock(askStore: (() => Promise<Date>) | undefined): StoreClock {
  if (askStore === undefined) return async () => Date.now()
  // On top of the clock of `performance`, because `Date` may be set back. That one stands still while the machine sleeps.
  let start = 0
  let end = Number.NEGATIVE_INFINITY
  let apart = 0
  let asking: Promise<void> | null = null

  const ask = async (): Promise<void> => {
    const { time } = await compareClocks(askStore)
    start = time.getTime() - performance.now()
    end = performance.now() + period
    apart = difference()
  }

  return async () => {
    if (performance.now() > end || Math.abs(difference() - apart) > drift) {
      // One question for all requests at once.
      asking ??= ask().finally(() => {
        asking = null
      })
      await asking
    }
    return Math.round(start + performance.now())
  }
}

function difference(): number {
  return Date.now() - performance.now()
}
