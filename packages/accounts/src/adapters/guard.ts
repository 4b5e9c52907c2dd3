import { AccountsError } from '../errors.js'
import { callBefore } from '../seams/call-deadline.js'
import { DuplicateError, InvalidArgumentError } from '../seams/store-errors.js'
import { createDeadline } from './deadline.js'
import type { Outage } from './outages.js'
import { withoutValues } from './scrub.js'

/** Seconds until a client may retry after an adapter failed. */
const retryAfter = 5

/** Milliseconds between the adapter's deadline and the 503: a commit in progress may still arrive. */
const commitTime = 250

/**
 * Wraps an adapter: a call that rejects, throws synchronously or doesn't answer in time fails with
 * ACCOUNTS_UNAVAILABLE: 503, never a false yes or no. Errors that the interface documents pass. No error
 * contains the values that the call was made with.
 * @param timeout milliseconds
 * @param outage notified of the result of each call, if outages are logged
 */
export function guard<Adapter extends object, Method extends keyof Adapter>(
  adapter: Adapter,
  methods: readonly Method[],
  timeout: number,
  outage?: Outage,
): Pick<Adapter, Method> {
  const inTime = createDeadline(timeout)
  const ownTime = timeout - Math.min(commitTime, timeout / 4)
  const guarded: Partial<Pick<Adapter, Method>> = {}
  for (const method of methods) {
    const late = () => new Error(`${String(method)} did not answer in ${timeout} ms`)
    const wrapped = async (...args: unknown[]): Promise<unknown> => {
      try {
        // Looked up at each call, because it may have been wrapped since.
        const call = adapter[method] as (...args: unknown[]) => unknown
        const answer = callBefore(performance.now() + ownTime, () => call.apply(adapter, args))
        const result = await inTime(Promise.resolve(answer), late)
        outage?.answered()
        return result
      } catch (thrown) {
        const error = asUnavailable(thrown, args)
        if (error instanceof AccountsError) outage?.failed(error)
        else outage?.answered()
        throw error
      }
    }
    guarded[method] = wrapped as Adapter[Method]
  }
  return guarded as Pick<Adapter, Method>
}

/** The same for a synchronous method. */
export function guardSync<Args extends unknown[], Result>(
  method: (...args: Args) => Result,
): (...args: Args) => Result {
  return (...args) => {
    try {
      return method(...args)
    } catch (thrown) {
      throw asUnavailable(thrown, args)
    }
  }
}

/** The error to throw after an adapter called with `args` threw `thrown`. */
export function asUnavailable(thrown: unknown, args: readonly unknown[]): unknown {
  if (thrown instanceof DuplicateError) return thrown
  const cause = withoutValues(thrown, args)
  if (cause instanceof InvalidArgumentError) return cause
  return new AccountsError('ACCOUNTS_UNAVAILABLE', { cause, retryAfter })
}
