import { AccountsClientError } from './error.js'

/** The longest wait for a refresh, for the app's storage and for a turn to end, in milliseconds. */
export const patience = 30_000

/** Waits for a promise until `signal` aborts or, with `milliseconds`, that long. */
export function within<Value>(
  promise: Promise<Value>,
  signal: AbortSignal | null | undefined,
  milliseconds?: number,
): Promise<Value> {
  return new Promise((resolve, reject) => {
    const stop = () =>
      // React Native's signals have no reason.
      reject(
        signal?.aborted
          ? (signal.reason ?? new Error('aborted'))
          : new AccountsClientError('NETWORK_ERROR', 'The service did not respond.'),
      )
    if (signal?.aborted) return stop()
    signal?.addEventListener('abort', stop)
    const timer = milliseconds && setTimeout(stop, milliseconds)
    promise.then(resolve, reject).then(() => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', stop)
    })
  })
}

/** Runs one after another what must not overlap. */
export type TakeTurn = <Value>(work: () => Promise<Value>, signal?: AbortSignal | null) => Promise<Value>

/** A turn that takes too long goes on, but no longer keeps the next one waiting. */
export function createTurns(): TakeTurn {
  let last: Promise<unknown> = Promise.resolve()
  return (work, signal) => {
    const before = last
    const mine = within(before, signal).then(work)
    last = before.then(() => within(mine, null, patience)).catch(() => {})
    return mine
  }
}
