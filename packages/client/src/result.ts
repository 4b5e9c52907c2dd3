import type { AccountsClientError } from './error.js'

/** Result of a call that succeeded. */
export interface Success<Data, Status extends number = number> {
  ok: true
  status: Status
  data: Data
}

/** Result of a call that the service refused. */
export interface Failure {
  ok: false
  error: AccountsClientError
}

/**
 * What a call comes to. A refusal is a value, not an exception: a wrong password is an everyday answer, and the
 * compiler asks for it to be looked at. Only an aborted call rejects, with the reason of its signal.
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

/** What a result holds if it is a success. */
export type DataOf<Outcome> = Outcome extends Success<infer Data> ? Data : never
