import type { Deps } from '../deps.js'
import { type FieldError, fieldError, invalidInput } from '../errors.js'
import { addressNameFaults } from '../identifiers/address-name.js'
import { checkUsername, usernameKey } from '../identifiers/username.js'
import type { User, UserChanges, UserFields } from '../user.js'
import { fieldChanges } from './field-changes.js'

/** The editable part of a user; a missing value stays unchanged. */
export interface Profile {
  /** `null` removes it, which an account with an address may do. */
  username?: string | null | undefined
  /** Your own fields. `null` removes one, unless its schema gives it a meaning or requires the field. */
  fields: UserFields
}

/**
 * Checks a new name and own fields, and returns their changes.
 * @param emailKey the address that the user will have; default: the current one
 * @returns the changes for a record; throws ACCOUNTS_INVALID_INPUT if they no longer fit it
 * @throws AccountsError ACCOUNTS_INVALID_INPUT
 */
export function profileChanges(
  options: Pick<Deps['options'], 'fields' | 'checkFields'>,
  user: User,
  { username, fields }: Profile,
  emailKey?: string,
): (current: User) => UserChanges {
  const own = fieldChanges(options, user.fields, fields)
  const nameFaults = (current: User): FieldError[] => faultsOfName(username, emailKey ?? current.emailKey)
  const faults = [...own.faults, ...nameFaults(user)]
  if (faults.length > 0) throw invalidInput(...faults)

  return (current) => {
    // The address may have changed meanwhile.
    const late = [...own.lateFaults(current.fields), ...nameFaults(current)]
    if (late.length > 0) throw invalidInput(...late)
    return {
      ...(username !== undefined && { username, usernameKey: username && usernameKey(username) }),
      ...(Object.keys(fields).length > 0 && { fields: own.changed(current.fields) }),
    }
  }
}

function faultsOfName(username: string | null | undefined, emailKey: string | null): FieldError[] {
  if (username === undefined) return []
  if (username === null) return emailKey === null ? [fieldError('username', 'required')] : []
  const fault = checkUsername(username)
  return fault === null ? addressNameFaults(username, emailKey) : [fault]
}
