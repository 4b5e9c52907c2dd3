import { commonPasswords } from './common-password-list.js'

let known: ReadonlySet<string> | undefined

/**
 * Whether a password, in any case and letter width, is among the 10,000 most common that are long enough
 * (NIST SP 800-63B-4 section 3.1.1.2 requires a blocklist of no specific size).
 */
export function isCommonPassword(password: string): boolean {
  known ??= new Set(commonPasswords.trim().split(/\s+/))
  return known.has(password.normalize('NFKC').toLowerCase())
}
