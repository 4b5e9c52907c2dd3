import { AccountsError } from '../../errors.js'

/** Why a late request is refused: the service has no fault. */
export class ClosingError extends Error {
  override readonly name = 'ClosingError'
}

const cause = new ClosingError('the app is closing')

/** For a request that arrives while the app closes; another process, or the next one, will serve it. */
export function refuseWhileClosing(): never {
  throw new AccountsError('ACCOUNTS_UNAVAILABLE', { retryAfter: 5, cause })
}
