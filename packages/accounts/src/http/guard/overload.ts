import { AccountsError } from '../../errors.js'

/** Why a request is refused: too many others came before it. Nothing has failed. */
export class OverloadError extends Error {
  override readonly name = 'OverloadError'
}

/** The refusal of a request that would exceed a bound on those that wait. */
export function overload(message: string): AccountsError {
  return new AccountsError('ACCOUNTS_UNAVAILABLE', { cause: new OverloadError(message), retryAfter: 5 })
}
