import { AccountsError } from '../errors.js'
import { AlongsideError } from '../seams/alongside.js'
import { callBefore } from '../seams/call-deadline.js'
import type { Effect } from '../seams/methods.js'
import { ContendedError, DuplicateError, InvalidArgumentError, RefusedError } from '../seams/store-errors.js'
import { createDeadline } from './deadline.js'
import { isError } from './is-error.js'
import { isOfOutage, type Outage } from './outages.js'
import { withoutValues } from './scrub.js'

/** Seconds until a client may retry after an adapter failed. */
const retryAfter = 5

/** Milliseconds between the adapter's deadline and the 503: a commit in progress may still arrive. */
const commitTime = 250

/**
 * Wraps an adapter: a call that rejects, throws synchronously or doesn't respond in time fails with
 * ACCOUNTS_UNAVAILABLE: 503, never a false yes or no. Errors that the interface documents pass. No error
 * contains the values that the call was made with.
 * @param methods those to wrap
 * @param timeout milliseconds
 * @param outage notified of the result of each call, if outages are logged
 */
export function guard<Adapter extends object, Method extends keyof Adapter & string>(
  adapter: Adapter,
  methods: Readonly<Record<Method, Effect>>,
  timeout: number,
  outage?: Outage,
): Pick<Adapter, Method> {
  const bound = createBound(timeout, asUnavailable, outage)
  const guarded: Partial<Pick<Adapter, Method>> = {}
  for (const [method, effect] of Object.entries(methods) as [Method, Effect][]) {
    // Optional ones may be missing: features that need one check for it at start.
    if (adapter[method] === undefined) continue
    // Looked up at each call, because it may have been wrapped since.
    const call = (...args: unknown[]): unknown => (adapter[method] as Call).apply(adapter, args)
    guarded[method] = bound(method, call, effect) as Adapter[Method]
  }
  return guarded as Pick<Adapter, Method>
}

/**
 * Wraps a function of the app or of a feature, such as a rule of `authorize`, in the same way; no error of it
 * passes, and a result that comes too late has no effect.
 * @param name appears in the error, which says that it did not respond
 * @param timeout milliseconds
 * @param outage notified of the result of each call, if outages are logged
 * @param valuesOf the arguments that hold values which no error may contain. Default: all
 */
export function guardCallback<Args extends unknown[], Result>(
  name: string,
  call: (...args: Args) => Result | Promise<Result>,
  timeout: number,
  outage?: Outage,
  valuesOf: (...args: Args) => readonly unknown[] = (...args) => args,
): (...args: Args) => Promise<Result> {
  const errorOf = (thrown: unknown, args: unknown[]): unknown =>
    isOfOutage(thrown) && thrown instanceof AccountsError
      ? thrown
      : unavailable(withoutValues(thrown, valuesOf(...(args as Args))))
  return createBound(timeout, errorOf, outage)(name, call as Call) as (...args: Args) => Promise<Result>
}

type Call = (...args: unknown[]) => unknown

/** Puts a deadline on calls, and says which error stands for the one that a call threw. */
function createBound(
  timeout: number,
  errorOf: (thrown: unknown, args: unknown[]) => unknown,
  outage: Outage | undefined,
): (name: string, call: Call, effect?: Effect) => (...args: unknown[]) => Promise<unknown> {
  const inTime = createDeadline(timeout)
  const ownTime = timeout - Math.min(commitTime, timeout / 4)
  // An invalid argument is refused before anybody is asked.
  const noteRefusal = (error: unknown): void => {
    if (!(error instanceof InvalidArgumentError)) outage?.responded('reads')
  }
  return (name, call, effect = 'reads') => {
    const late = () => new Error(`${name} did not respond in ${timeout} ms`)
    return async (...args) => {
      try {
        const pending = callBefore(performance.now() + ownTime, () => call(...args))
        const result = await inTime(Promise.resolve(pending), late)
        outage?.responded(shownBy(effect, result))
        return result
      } catch (thrown) {
        const error = errorOf(thrown, args)
        // One that belongs to another outage is neither a response nor a failure of this one.
        if (!(error instanceof AccountsError && error.code === 'ACCOUNTS_UNAVAILABLE')) noteRefusal(error)
        else if (error.cause instanceof ContendedError) outage?.collided(error)
        else if (!isOfOutage(error)) outage?.failed(error, { effect })
        throw error
      }
    }
  }
}

/** A write that found nothing to change may have read only. */
function shownBy(effect: Effect, result: unknown): Effect {
  if (effect === 'reads') return effect
  const isNothing =
    result === null || result === false || result === 0 || (Array.isArray(result) && result.length === 0)
  return isNothing ? 'takes' : 'writes'
}

/** The same for a synchronous method. Of its calls, only failed ones are noted. */
export function guardSync<Args extends unknown[], Result>(
  method: (...args: Args) => Result,
  outage: Outage,
): (...args: Args) => Result {
  return (...args) => {
    try {
      return method(...args)
    } catch (thrown) {
      const error = asUnavailable(thrown, args)
      outage.failed(error, { effect: 'reads' })
      throw error
    }
  }
}

/** The error to throw after an adapter called with `args` threw `thrown`. */
export function asUnavailable(thrown: unknown, args: readonly unknown[]): unknown {
  if (thrown instanceof DuplicateError) return thrown
  // The app's own error, of a function that it gave the store.
  if (thrown instanceof AlongsideError) return thrown.cause
  const cause = withoutValues(thrown, args)
  if (cause instanceof InvalidArgumentError) return cause
  if (cause instanceof RefusedError)
    return new AccountsError('ACCOUNTS_CONFLICT', { reason: 'refused_by_rule', cause })
  return unavailable(cause)
}

function unavailable(thrown: unknown): AccountsError {
  // The cause is what copies of the error share, so there always is one.
  const cause = isError(thrown) ? thrown : new Error(String(thrown ?? 'no reason given'))
  return new AccountsError('ACCOUNTS_UNAVAILABLE', { cause, retryAfter })
}
