import { AccountsError, type FieldError } from '../../errors.js'
import { addressNameFaults, isReplacementName } from '../../identifiers/address-name.js'
import { checkUsername } from '../../identifiers/username.js'
import { isDuplicate } from '../../seams/store-errors.js'
import { type StoredUser, type User, withChanges } from '../../user.js'
import { changesHands, type OwnershipEvent, ownershipChanges } from './table.js'
import type { OwnershipOptions } from './verbs.js'

/** Whether an event takes the name that a stranger may have chosen, so the new owner is asked for one. */
export function asksUsername(options: OwnershipOptions, event: OwnershipEvent, user: StoredUser): boolean {
  if (options.names !== 'required' || !changesHands(event, user)) return false
  const { username } = withChanges(user, ownershipChanges(event, user, options) ?? {})
  return isReplacementName(username) && username !== user.username
}

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
