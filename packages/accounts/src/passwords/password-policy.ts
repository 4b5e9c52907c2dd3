import { type FieldError, fieldError } from '../errors.js'
import { codePoints, fold } from '../identifiers/fold.js'
import type { ResolvedOptions } from '../options/resolve.js'
import { isCommonPassword } from './common-passwords.js'

/** A password in the form that is hashed and verified (NIST SP 800-63B-4 section 3.1.1.2). */
export function normalizePassword(password: string): string {
  return password.normalize('NFC')
}

/**
 * The faults of a new password: length in code points, the 10,000 most common, the names of the user and the
 * site, the address. No composition rules, no truncation.
 */
export function checkNewPassword(
  field: string,
  password: string,
  owner: { username?: string | null | undefined; email?: string | null | undefined },
  { minLength, maxLength, siteNames }: ResolvedOptions['password'],
): FieldError | null {
  const normalized = normalizePassword(password)
  const length = Math.max(codePoints(password), codePoints(normalized))
  if (length > maxLength) return fieldError(field, 'too_long', { text: 'max_length', count: maxLength })
  if (codePoints(normalized) < minLength)
    return fieldError(field, 'too_short', { text: 'min_length', count: minLength })
  const folded = fold(password)
  const names = [...siteNames, owner.username ?? '', owner.email ?? '', owner.email?.split('@')[0] ?? '']
  if (isCommonPassword(normalized) || names.some((each) => each !== '' && fold(each) === folded)) {
    return fieldError(field, 'too_common')
  }
  return null
}

/** The faults of a pair of fields for a new password. */
export function checkPasswordPair(
  fields: { password: string; confirm: string },
  given: { password: string; confirm: string },
  owner: { username?: string | null | undefined; email?: string | null | undefined },
  options: ResolvedOptions['password'],
): FieldError[] {
  const fault = checkNewPassword(fields.password, given.password, owner, options)
  const faults = fault === null ? [] : [fault]
  if (normalizePassword(given.password) !== normalizePassword(given.confirm)) {
    faults.push(fieldError(fields.confirm, 'mismatch'))
  }
  return faults
}
