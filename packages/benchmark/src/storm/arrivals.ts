import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Calls at a steady rate, no matter how long each call's work takes: as people arrive, not as a queue moves.
 * @param arrive must not throw; is not waited for
 * @param end when no more arrive, by `performance.now()`
 */
export async function arrivals(perSecond: number, end: number, arrive: () => void): Promise<void> {
  const start = performance.now()
  for (let count = 0; ; count++) {
    const due = start + (count * 1000) / perSecond
    if (due >= end) return
    const early = due - performance.now()
    if (early > 0) await sleep(early)
    arrive()
  }
}
