import { shared } from '../copies.js'
import { UnavailableError } from './store-errors.js'

/** A store's package asks its own copy. */
const current = shared('deadline', () => ({ deadline: Number.POSITIVE_INFINITY }))

/**
 * When the plugin stops waiting for the adapter call that is beginning, in milliseconds of `performance.now()`;
 * `Infinity` outside a request. Call it before the first `await` of the method.
 *
 * The response is then 503, so nothing may take effect afterwards: begin no attempt after the deadline, and roll
 * back what isn't committed by then.
 */
export function callDeadline(): number {
  return current.deadline
}

/** @throws UnavailableError if the deadline of the call that is beginning has passed */
export function assertInTime(): void {
  if (performance.now() >= callDeadline()) throw new UnavailableError('the deadline of the call has passed')
}

/**
 * Makes a call of an adapter as the plugin does, with the time at which it stops waiting, in milliseconds of
 * `performance.now()`: for an adapter's own tests.
 */
export function callBefore<Result>(deadline: number, call: () => Result): Result {
  const outer = current.deadline
  current.deadline = deadline
  try {
    return call()
  } finally {
    current.deadline = outer
  }
}
