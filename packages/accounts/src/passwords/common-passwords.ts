import { commonPasswords } from './common-password-list.js'

let known: ReadonlySet<string> | undefined

/**
 * Whether a password, in whatever case and width of letters, is among the 10,000 commonest that are long enough to be
 * one (NIST SP 800-63B-4 section 3.1.1.2 asks for a blocklist, not for a size).
 */
export function isCommonPassword(password: string): boolean {
  known ??= new Set(commonPasswords.trim().split(/\s+/))
  return known.has(password.normalize('NFKC').toLowerCase())
}
