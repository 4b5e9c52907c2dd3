import type { Deps } from '../../deps.js'
import { type FieldError, fieldError, invalidInput } from '../../errors.js'
import { updateUser } from '../../features/staff/update-user.js'
import type { FieldsOf, User, UserFields } from '../../user.js'
import type { UserFlags } from '../../users/change.js'
import { foundOrNull } from '../../users/host-accounts.js'
import { roleFaults } from '../../users/role-faults.js'
import { argumentFaults, isPlainText } from '../../validation.js'

/** What `app.accounts.updateUser` changes; what is absent stays. */
export interface UserUpdate<Fields = undefined, Role extends string = string> extends UserFlags {
  /** All roles that the user has afterwards, of those that the option `roles` names. */
  roles?: readonly Role[] | undefined
  /** `null` removes it, if `users.names` is `'optional'` and the account has an address. */
  username?: string | null | undefined
  /** Unproven, unless `isVerified` says otherwise. */
  email?: string | undefined
  /** Your own fields; others stay. `null` removes one, unless its schema gives it a meaning or requires the field. */
  fields?: { [Name in keyof FieldsOf<Fields>]?: FieldsOf<Fields>[Name] | null } | undefined
}

export async function updateUserByHost(
  deps: Pick<Deps, 'users' | 'options' | 'postOffice' | 'rules'>,
  userId: string,
  update: UserUpdate,
): Promise<User | null> {
  const faults = faultsOf(update, deps.options)
  if (faults.length > 0) throw invalidInput(...faults)
  const { username, email, fields = {}, ...flags } = update
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined)
  const changes = { username, email, fields: Object.fromEntries(entries) as UserFields, flags }
  return foundOrNull(async () => (await updateUser(deps, 'host', userId, changes)).user)
}

/** The route's schema checks them for staff. */
function faultsOf(update: UserUpdate, options: Pick<Deps['options'], 'names' | 'roles'>): FieldError[] {
  const { names } = options
  const { username, email, fields } = update
  const faults = argumentFaults(update, {
    flags: ['isStaff', 'isActive', 'isVerified'],
    others: ['username', 'email', 'fields', 'roles'],
  })
  faults.push(...roleFaults(update.roles, options))
  if (username !== undefined && names === 'none') faults.push(fieldError('username', 'unknown'))
  else if (username === null && names === 'required') faults.push(fieldError('username', 'required'))
  else if (username !== null && !isText(username)) faults.push(fieldError('username', 'invalid'))
  if (!isText(email)) faults.push(fieldError('email', 'invalid'))
  if (fields !== undefined && !isObject(fields)) faults.push(fieldError('fields', 'invalid'))
  return faults
}

const isText = (value: unknown): boolean =>
  value === undefined || (typeof value === 'string' && isPlainText(value))

const isObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
