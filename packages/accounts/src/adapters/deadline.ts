/**
 * Puts one deadline on many promises: a timer for all of them, since one for each costs as much as a look-up in memory.
 * @param timeout milliseconds
 * @returns what takes a promise and gives one that also rejects with `late()` when the time is over
 */
export function createDeadline(timeout: number): <T>(promise: Promise<T>, late: () => Error) => Promise<T> {
  // In the order in which they are due: the timeout is the same for all.
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
    // Timers count in whole milliseconds and may come a little early.
    if (armed) return
    armed = true
    setTimeout(sweep, Math.ceil(delay)).unref()
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
