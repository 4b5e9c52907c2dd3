import type { Deps } from '../deps.js'
import { AccountsError, type FieldError, invalidInput } from '../errors.js'
import { addressNameFaults } from '../identifiers/address-name.js'
import { checkUsername, usernameKey } from '../identifiers/username.js'
import { DuplicateError } from '../seams/store-errors.js'
import type { User, UserFields } from '../user.js'
import { changeUser } from '../users/change.js'
import { fieldsSize, fieldsSizeFaults } from '../validation.js'

/**
 * Changes what people say of themselves; what is not given stays as it is. `null` takes a field of the integrator's
 * away, unless its schema means something by it, or requires the field.
 * @throws AccountsError ACCOUNTS_INVALID_INPUT, ACCOUNTS_THROTTLED, ACCOUNTS_USERNAME_TAKEN, ACCOUNTS_CONFLICT;
 * ACCOUNTS_LOGIN_REQUIRED where the user is gone meanwhile
 */
export async function changeProfile(
  { users, throttle, options }: Pick<Deps, 'users' | 'throttle' | 'options'>,
  user: User,
  { username, fields }: { username?: string | undefined; fields: UserFields },
): Promise<User> {
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
  // A field that is required, but that this user is from before, is no fault of a request that does not name it.
  // A copy: the check puts defaults into what it is given.
  const before = options.checkFields(structuredClone(user.fields))
  const isOld = (fault: FieldError): boolean =>
    !Object.hasOwn(fields, fault.field) &&
    before.some(({ field, code }) => field === fault.field && code === fault.code)
  const faults = options.checkFields(changedFields(user.fields)).filter((fault) => !isOld(fault))
  faults.push(...sizeFaults(user.fields))
  const nameFault = username === undefined ? null : checkUsername(username)
  if (nameFault !== null) faults.push(nameFault)
  else if (username !== undefined) faults.push(...addressNameFaults(username, user.emailKey))
  if (faults.length > 0) throw invalidInput(...faults)

  await throttle.spend('changeProfile', user.id)
  const changed = await changeUser(users, user, (current) => {
    // Of two changes at once, each may fit and both together may not.
    const tooLarge = sizeFaults(current.fields)
    if (tooLarge.length > 0) throw invalidInput(...tooLarge)
    // The address may have changed meanwhile.
    const notOwn = username === undefined ? [] : addressNameFaults(username, current.emailKey)
    if (notOwn.length > 0) throw invalidInput(...notOwn)
    return {
      ...(username !== undefined && { username, usernameKey: usernameKey(username) }),
      ...(Object.keys(fields).length > 0 && { fields: changedFields(current.fields) }),
    }
  }).catch((error: unknown) => {
    throw error instanceof DuplicateError ? new AccountsError('ACCOUNTS_USERNAME_TAKEN') : error
  })
  if (changed === null) throw new AccountsError('ACCOUNTS_LOGIN_REQUIRED')
  return changed
}
