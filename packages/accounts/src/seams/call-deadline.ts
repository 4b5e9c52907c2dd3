let current = Number.POSITIVE_INFINITY

/**
 * When the plugin stops waiting for the call of an adapter that begins right now, in milliseconds of
 * `performance.now()`; `Infinity` where nobody said so. Ask before the first `await` of the method.
 *
 * The request is answered 503 then, so a store that keeps this promise has no effect afterwards: it begins no attempt
 * after the deadline, and rolls back what it has not committed by then.
 */
export function callDeadline(): number {
  return current
}

/** Makes the call under this deadline. */
export function callBefore<Result>(deadline: number, call: () => Result): Result {
  const outer = current
  current = deadline
  try {
    return call()
  } finally {
    current = outer
  }
}
