/**
 * Puts one deadline on many promises. They share a timer, because one each costs as much as an in-memory
 * lookup.
 * @param timeout milliseconds
 * @returns a function that wraps a promise; the result also rejects, with `late()`, when the time is over
 */
export function createDeadline(timeout: number): <T>(promise: Promise<T>, late: () => Error) => Promise<T> {
  // In due order, because all share one timeout.
  const waiting = new Set<{ due: number; end(): void }>()
  let armed = false

  function sweep(): void {
    armed = false
    const now = performance.now()
    for (const each of waiting) {
      if (each.due > now) {
        wakeAt(each.due - now)
        return
      }
      waiting.delete(each)
      each.end()
    }
  }

  function wakeAt(delay: number): void {
    // Timers use whole milliseconds and may fire slightly early.
    if (armed) return
    armed = true
    // After the next poll for I/O: a busy process finds its timers due before it reads responses that came in time.
    setTimeout(() => setImmediate(sweep), Math.ceil(delay)).unref()
  }

  return (promise, late) =>
    new Promise((resolve, reject) => {
      const entry = { due: performance.now() + timeout, end: () => reject(late()) }
      waiting.add(entry)
      wakeAt(timeout)
      promise.then(
        (value) => {
          waiting.delete(entry)
          resolve(value)
        },
        (error) => {
          waiting.delete(entry)
          reject(error)
        },
      )
    })
}
