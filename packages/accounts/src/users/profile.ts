import type { Deps } from '../deps.js'
import { type FieldError, fieldError, invalidInput } from '../errors.js'
import { addressNameFaults } from '../identifiers/address-name.js'
import { checkUsername, usernameKey } from '../identifiers/username.js'
import type { User, UserChanges, UserFields } from '../user.js'
import { fieldsSize, fieldsSizeFaults } from '../validation.js'

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
  const removed = Object.keys(fields).filter(
    (name) =>
      fields[name] === null &&
      !options.fields?.required?.includes(name) &&
      options.checkFields({ [name]: null }).some(({ field, code }) => field === name && code !== 'unknown'),
  )
  const changedFields = (current: UserFields): UserFields => {
    const merged = Object.entries({ ...current, ...fields })
    return Object.fromEntries(merged.filter(([name]) => !removed.includes(name)))
  }
  /** Fields that were too large already may stay that large, or shrink. */
  const sizeFaults = (current: UserFields): FieldError[] => {
    const changed = changedFields(current)
    return fieldsSize(changed) <= fieldsSize(current) ? [] : fieldsSizeFaults(changed)
  }
  const nameFaults = (current: User): FieldError[] => faultsOfName(username, emailKey ?? current.emailKey)
  // A required field that an older user lacks doesn't fail a request that doesn't set it. The check writes
  // defaults into its argument, so it gets a copy.
  const before = options.checkFields(structuredClone(user.fields))
  const isOld = (fault: FieldError): boolean =>
    !Object.hasOwn(fields, fault.field) &&
    before.some(({ field, code }) => field === fault.field && code === fault.code)
  const faults = options.checkFields(changedFields(user.fields)).filter((fault) => !isOld(fault))
  // What is nested too deep has no size.
  if (faults.length === 0) faults.push(...sizeFaults(user.fields))
  faults.push(...nameFaults(user))
  if (faults.length > 0) throw invalidInput(...faults)

  return (current) => {
    // Two concurrent changes may each fit but not both together, and the address may have changed meanwhile.
    const late = [...sizeFaults(current.fields), ...nameFaults(current)]
    if (late.length > 0) throw invalidInput(...late)
    return {
      ...(username !== undefined && { username, usernameKey: username && usernameKey(username) }),
      ...(Object.keys(fields).length > 0 && { fields: changedFields(current.fields) }),
    }
  }
}

function faultsOfName(username: string | null | undefined, emailKey: string | null): FieldError[] {
  if (username === undefined) return []
  if (username === null) return emailKey === null ? [fieldError('username', 'required')] : []
  const fault = checkUsername(username)
  return fault === null ? addressNameFaults(username, emailKey) : [fault]
}
