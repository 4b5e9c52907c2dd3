import type { Deps } from '../deps.js'
import { type FieldError, fieldError, invalidInput } from '../errors.js'
import { addressNameFaults } from '../identifiers/address-name.js'
import { checkUsername, usernameKey } from '../identifiers/username.js'
import type { User, UserChanges, UserFields } from '../user.js'
import { fieldsSize, fieldsSizeFaults } from '../validation.js'

/** What is said of a user; what is not given stays as it is. */
export interface Profile {
  /** `null` takes it away: an account may do without where it has an address. */
  username?: string | null | undefined
  /** The integrator's own. `null` takes one away, unless its schema means something by it, or requires the field. */
  fields: UserFields
}

/**
 * Checks a new name and own fields, and says what they change.
 * @param emailKey the address that the user will have; default: the one that they have
 * @returns the changes that a record calls for; throws ACCOUNTS_INVALID_INPUT where they do not fit it any more
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
  /** Fields that were too large before may stay that large, or shrink. */
  const sizeFaults = (current: UserFields): FieldError[] => {
    const changed = changedFields(current)
    return fieldsSize(changed) <= fieldsSize(current) ? [] : fieldsSizeFaults(changed)
  }
  const nameFaults = (current: User): FieldError[] => faultsOfName(username, emailKey ?? current.emailKey)
  // A field that is required, but that this user is from before, is no fault of a request that does not name it.
  // A copy: the check puts defaults into what it is given.
  const before = options.checkFields(structuredClone(user.fields))
  const isOld = (fault: FieldError): boolean =>
    !Object.hasOwn(fields, fault.field) &&
    before.some(({ field, code }) => field === fault.field && code === fault.code)
  const faults = options.checkFields(changedFields(user.fields)).filter((fault) => !isOld(fault))
  faults.push(...sizeFaults(user.fields))
  faults.push(...nameFaults(user))
  if (faults.length > 0) throw invalidInput(...faults)

  return (current) => {
    // Of two changes at once, each may fit and both together may not; and the address may have changed meanwhile.
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
