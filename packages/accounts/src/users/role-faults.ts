import type { Deps } from '../deps.js'
import { type FieldError, fieldError } from '../errors.js'

/** The faults of roles from the app's own code, which not all of it is typed. */
export function roleFaults(given: unknown, { roles = {} }: Pick<Deps['options'], 'roles'>): FieldError[] {
  if (given === undefined) return []
  const isList =
    Array.isArray(given) &&
    given.every((role, at) => Object.hasOwn(roles, role) && given.indexOf(role) === at)
  return isList ? [] : [fieldError('roles', 'invalid')]
}
