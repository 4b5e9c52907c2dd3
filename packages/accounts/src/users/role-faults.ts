import type { Deps } from '../deps.js'
import { type FieldError, fieldError } from '../errors.js'

/** The faults of roles from the app's own code, which not all of it is typed. */
export function roleFaults(value: unknown, { roles = {} }: Pick<Deps['options'], 'roles'>): FieldError[] {
  if (value === undefined) return []
  const isList =
    Array.isArray(value) &&
    value.every((role, at) => Object.hasOwn(roles, role) && value.indexOf(role) === at)
  return isList ? [] : [fieldError('roles', 'invalid')]
}
