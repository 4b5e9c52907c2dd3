import type { Deps } from '../deps.js'
import { type FieldError, fieldError } from '../errors.js'
import { noSuchValue } from '../validation.js'

/** The faults of roles from the app's own code, which not all of it is typed. */
export function roleFaults(value: unknown, { roles = {} }: Pick<Deps['options'], 'roles'>): FieldError[] {
  if (value === undefined) return []
  if (!Array.isArray(value) || value.some((role, at) => value.indexOf(role) !== at))
    return [fieldError('roles', 'invalid')]
  const unknown = value.findIndex((role) => !Object.hasOwn(roles, role))
  return unknown < 0 ? [] : [noSuchValue('roles', value[unknown])]
}
