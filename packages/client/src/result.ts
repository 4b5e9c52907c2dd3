import type { CallError } from './error.js'

/** Result of a call that succeeded. */
export interface Success<Data, Status extends number = number> {
  ok: true
  status: Status
  data: Data
}

/** Result of a rejected call. */
export interface Failure {
  ok: false
  error: CallError
}

/**
 * Result of a call. Errors are values, not exceptions, so the compiler makes you handle a wrong password. Only an aborted
 * call rejects, with the reason of its signal.
 */
export type Result<Data, Status extends number = number> = Success<Data, Status> | Failure

/**
 * The data of a result, for callers that want exceptions: `await accounts.showMe().then(unwrap)`.
 * @throws AccountsClientError
 */
export function unwrap<Outcome extends Success<unknown> | Failure>(result: Outcome): DataOf<Outcome> {
  if (result.ok) return result.data as DataOf<Outcome>
  throw result.error
}

/** The data of a successful result. */
export type DataOf<Outcome> = Outcome extends Success<infer Data> ? Data : never
