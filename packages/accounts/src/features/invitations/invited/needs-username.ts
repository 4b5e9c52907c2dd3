import { type FieldError, fieldError } from '../../../errors.js'
import { isReplacementName } from '../../../identifiers/address-name.js'
import type { StoredUser } from '../../../user.js'
import { asksUsername } from '../../../users/ownership/new-owners-choice.js'
import { ownershipOf } from '../../../users/ownership/states.js'
import type { OwnershipOptions } from '../../../users/ownership/verbs.js'

/**
 * Whether accepting takes a username.
 * @param owner who has the address; `null` if nobody
 */
export function needsUsername(options: OwnershipOptions, owner: StoredUser | null): boolean {
  if (options.names !== 'required') return false
  if (owner === null) return true
  if (ownershipOf(owner) === 'proven') return false
  return isReplacementName(owner.username) || asksUsername(options, 'proved-elsewhere', owner)
}

export function missingUsername(
  options: OwnershipOptions,
  owner: StoredUser | null,
  username: string | null | undefined,
): FieldError[] {
  return username === undefined && needsUsername(options, owner) ? [fieldError('username', 'required')] : []
}
