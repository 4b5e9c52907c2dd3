import { type FieldError, fieldError } from '../errors.js'
import { codePoints, fold } from '../identifiers/fold.js'
import type { ResolvedOptions } from '../options/resolve.js'
import { commonPasswords } from './common-password-list.js'

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

/** A new password, and the same in the field that repeats it, if there is one. */
export interface PasswordPair {
  password: string
  confirmPassword?: string | undefined
}

/** The faults of a new password and the field that repeats it, `confirm_password`. */
export function checkPasswordPair(
  field: string,
  { password, confirmPassword = password }: PasswordPair,
  owner: { username?: string | null | undefined; email?: string | null | undefined },
  options: ResolvedOptions['password'],
): FieldError[] {
  const fault = checkNewPassword(field, password, owner, options)
  const faults = fault === null ? [] : [fault]
  if (normalizePassword(password) !== normalizePassword(confirmPassword)) {
    faults.push(fieldError('confirm_password', 'mismatch'))
  }
  return faults
}

let blocklist: ReadonlySet<string> | undefined

/**
 * Whether a password, in any case and letter width, is among the 10,000 most common that are long enough
 * (NIST SP 800-63B-4 section 3.1.1.2 requires a blocklist of no specific size).
 */
function isCommonPassword(password: string): boolean {
  blocklist ??= new Set(commonPasswords.trim().split(/\s+/))
  return blocklist.has(password.normalize('NFKC').toLowerCase())
}
