import { AccountsError } from '../errors.js'

/** Why a late request is refused: nothing is wrong with the service. */
export class ClosingError extends Error {
  override readonly name = 'ClosingError'
}

/** For a request that comes while the app closes; another process, or the next one, will answer it. */
export function refuseWhileClosing(): never {
  throw new AccountsError('ACCOUNTS_UNAVAILABLE', {
    retryAfter: 5,
    cause: new ClosingError('the app is closing'),
  })
}
