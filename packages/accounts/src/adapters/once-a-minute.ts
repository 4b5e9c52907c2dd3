/** Milliseconds that one line in the log stands for. */
const period = 60_000

/** Calls it at most once a minute, so what happens often doesn't flood the log. */
export function onceAMinute<Args extends unknown[]>(write: (...args: Args) => void): (...args: Args) => void {
  let written: number | undefined
  return (...args) => {
    const now = performance.now()
    if (written !== undefined && now - written < period) return
    written = now
    write(...args)
  }
}
