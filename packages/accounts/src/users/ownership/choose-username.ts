import { AccountsError, type FieldError } from '../../errors.js'
import { addressNameFaults } from '../../identifiers/address-name.js'
import { checkUsername } from '../../identifiers/username.js'
import { isDuplicate } from '../../seams/store-errors.js'
import type { User } from '../../user.js'

/** The faults of the name that a new owner chooses for an account. */
export function usernameFaults(
  { emailKey }: Pick<User, 'emailKey'>,
  username: string | null | undefined,
): FieldError[] {
  if (username === undefined || username === null) return []
  const fault = checkUsername(username)
  return fault === null ? addressNameFaults(username, emailKey) : [fault]
}

/** @throws AccountsError ACCOUNTS_USERNAME_TAKEN in place of the store's error */
export function orUsernameTaken(error: unknown): never {
  throw isDuplicate(error, 'username') ? new AccountsError('ACCOUNTS_USERNAME_TAKEN') : error
}
