import { setImmediate } from 'node:timers'

/** Requests that go on in one turn of the event loop: some milliseconds of work, even in code that has just started. */
const perTurn = 4

/**
 * Lets a few requests through in each turn of the event loop, in the order in which they came, and answers everyone else
 * in between. Node.js hands over all requests of a crowd in one turn, and whoever asks "who am I" meanwhile would wait
 * for the last of them.
 * @returns what a request waits for; `undefined` where it may go on at once
 */
export function createTurnstile(): () => Promise<void> | undefined {
  const waiting = new Set<() => void>()
  let passed = 0

  function nextTurn(): void {
    passed = 0
    for (const goOn of waiting) {
      if (passed === perTurn) break
      waiting.delete(goOn)
      passed += 1
      goOn()
    }
    if (passed > 0) setImmediate(nextTurn)
  }

  return () => {
    if (passed === perTurn) return new Promise((goOn) => waiting.add(goOn))
    if (passed === 0) setImmediate(nextTurn)
    passed += 1
    return undefined
  }
}
