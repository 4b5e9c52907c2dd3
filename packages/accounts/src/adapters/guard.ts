import { AccountsError } from '../errors.js'
import { callBefore } from '../seams/call-deadline.js'
import { DuplicateError, InvalidArgumentError } from '../seams/store-errors.js'
import { createDeadline } from './deadline.js'
import type { Outage } from './outages.js'
import { withoutValues } from './scrub.js'

/** Seconds after which a client may try again when an adapter failed. */
const retryAfter = 5

/** Milliseconds between the deadline that an adapter is told and the 503: a commit on its way may still arrive. */
const commitTime = 250

/**
 * Wraps an adapter so that a call that rejects, throws at once or does not answer in time becomes
 * ACCOUNTS_UNAVAILABLE: 503, never a false yes or a false no. What the seam promises to throw passes. No error holds
 * the values that the call was made with.
 * @param timeout milliseconds
 * @param outage told what becomes of each call, where that is logged
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
        // Looked up at each call: somebody may have wrapped it since.
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

/** The same for a method that answers at once. */
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

/** What is thrown where an adapter that was given `args` threw this. */
export function asUnavailable(thrown: unknown, args: readonly unknown[]): unknown {
  if (thrown instanceof DuplicateError) return thrown
  const cause = withoutValues(thrown, args)
  if (cause instanceof InvalidArgumentError) return cause
  return new AccountsError('ACCOUNTS_UNAVAILABLE', { cause, retryAfter })
}
