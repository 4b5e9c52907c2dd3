import type { Deps } from '../deps.js'
import type { FieldError } from '../errors.js'
import type { UserFields } from '../user.js'
import { fieldsSize, fieldsSizeFaults } from '../validation.js'

/** What a change of own fields is. */
export interface FieldChanges {
  faults: FieldError[]
  /** The faults that only a later record has: two concurrent changes may each fit but not both together. */
  lateFaults(current: UserFields): FieldError[]
  changed(current: UserFields): UserFields
}

/**
 * Checks new values of own fields.
 * @param stored the fields as they were read
 * @param values a missing one stays unchanged; `null` removes one, unless its schema gives it a meaning or requires the field
 */
export function fieldChanges(
  options: Pick<Deps['options'], 'fields' | 'checkFields'>,
  stored: UserFields,
  values: UserFields,
): FieldChanges {
  const removed = Object.keys(values).filter(
    (name) =>
      values[name] === null &&
      !options.fields?.required?.includes(name) &&
      options.checkFields({ [name]: null }).some(({ field, code }) => field === name && code !== 'unknown'),
  )
  const changed = (current: UserFields): UserFields => {
    const merged = Object.entries({ ...current, ...values })
    return Object.fromEntries(merged.filter(([name]) => !removed.includes(name)))
  }
  /** Fields that were too large already may stay that large, or shrink. */
  const lateFaults = (current: UserFields): FieldError[] => {
    const after = changed(current)
    return fieldsSize(after) <= fieldsSize(current) ? [] : fieldsSizeFaults(after)
  }
  // A required field that an older record lacks doesn't fail a request that doesn't set it. The check writes
  // defaults into its argument, so it gets a copy.
  const before = options.checkFields(structuredClone(stored))
  const isOld = (fault: FieldError): boolean =>
    !Object.hasOwn(values, fault.field) &&
    before.some(({ field, code }) => field === fault.field && code === fault.code)
  const faults = options.checkFields(changed(stored)).filter((fault) => !isOld(fault))
  // What is nested too deep has no size.
  return { faults: faults.length === 0 ? lateFaults(stored) : faults, lateFaults, changed }
}
