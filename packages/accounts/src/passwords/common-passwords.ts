import { dictionary } from '@zxcvbn-ts/language-common'

/** How many of the commonest are refused (NIST SP 800-63B-4 section 3.1.1.2 asks for a blocklist, not for a size). */
const count = 10_000

const common: ReadonlySet<string> = new Set([...dictionary['passwords-common']].slice(0, count).map(String))

/** Whether a password, in whatever case, is among the 10,000 commonest. */
export function isCommonPassword(password: string): boolean {
  return common.has(password) || common.has(password.toLowerCase())
}
