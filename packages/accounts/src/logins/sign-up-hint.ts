import { AccountsError } from '../errors.js'
import type { Client } from '../sessions/client.js'

/**
 * Makes a failed login in a browser that has signed up say that the address may have to be confirmed first. That depends on
 * the browser alone, not on the account: whether there is one, or has been, stays unknown.
 * @param isHinted whether the browser has signed up, with the given address if there is one
 * @throws AccountsError ACCOUNTS_INVALID_OR_NOT_VERIFIED in place of ACCOUNTS_INVALID_CREDENTIALS
 */
export async function withSignUpHint<T>(
  client: Client,
  isHinted: boolean,
  logIn: () => Promise<T>,
): Promise<T> {
  try {
    return await logIn()
  } catch (error) {
    if (!isHinted || !(error instanceof AccountsError && error.code === 'ACCOUNTS_INVALID_CREDENTIALS'))
      throw error
    // In the audit trail it is a failed login like any other.
    client.note({ reason: error.code })
    throw new AccountsError('ACCOUNTS_INVALID_OR_NOT_VERIFIED', { cause: error, userId: error.userId })
  }
}
