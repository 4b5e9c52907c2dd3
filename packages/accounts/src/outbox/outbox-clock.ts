import { compareClocks } from '../adapters/compare-clocks.js'

/** The time that decides who has claimed a message: the database's, because the clocks of processes differ. */
export interface OutboxClock {
  /** Asks the database what time it is. Never rejects: if it can't respond, the call that follows says so. */
  ask(): Promise<void>
  /** Milliseconds since 1970, by the last response. */
  now(): number
}

/**
 * @param askDatabase the database's clock; without it, that of the process is used
 * @param onDifference called once when the clock of the process is found to be wrong, with the milliseconds that it is
 * ahead of the database, and once when it is right again, with `null`
 */
export function createOutboxClock(
  askDatabase: (() => Promise<Date>) | undefined,
  onDifference: (aheadMs: number | null) => void,
): OutboxClock {
  if (askDatabase === undefined) return { ask: async () => {}, now: () => Date.now() }
  // On top of the clock of `performance`, because `Date` may be set back.
  let start = Date.now() - performance.now()
  let isOff = false
  return {
    async ask() {
      const clocks = await compareClocks(askDatabase).catch(() => null)
      if (clocks === null) return
      start = clocks.time.getTime() - performance.now()
      if (clocks.isOff === isOff) return
      isOff = clocks.isOff
      onDifference(isOff ? clocks.aheadMs : null)
    },
    now: () => Math.round(start + performance.now()),
  }
}
