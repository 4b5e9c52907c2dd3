import { isIP } from 'node:net'
import { domainToASCII, domainToUnicode } from 'node:url'
import { type FieldError, fieldError } from '../errors.js'
import { codePoints } from './fold.js'

/** RFC 5321 section 4.5.3.1.3, less the angle brackets. */
export const maxEmailLength = 254

/** An address in the two forms that a store keeps. */
export interface EmailAddress {
  /**
   * As given, without surrounding white space, in Unicode normalization form C; a domain that isn't ASCII is lowercased.
   * At most 254 code points.
   */
  email: string
  /** For comparing: in lower case, the domain in ASCII. */
  emailKey: string
}

// The dot-atom of RFC 5322, with the letters of RFC 6531: no quotes, comments, groups or lists.
const localPart = /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+(\.[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+)*$/u
const domainLabel = /^[\p{L}\p{M}\p{N}]([\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?$/u

/** Whether a mail server needs SMTPUTF8 (RFC 6531) for an address. Its domain is mailed to in ASCII. */
export function needsSmtpUtf8(address: string): boolean {
  return /[^\p{ASCII}]/u.test(address.slice(0, address.lastIndexOf('@')))
}

/**
 * The fault of an address that an account is to get, or `null`. Nothing is looked up.
 * @param address `null` if it isn't one
 */
export function newAddressFault(
  address: EmailAddress | null,
  { emailAddresses }: { readonly emailAddresses: 'any' | 'ascii' },
): FieldError | null {
  if (address === null) return fieldError('email', 'invalid')
  const isRefused = emailAddresses === 'ascii' && needsSmtpUtf8(address.email)
  return isRefused ? fieldError('email', 'invalid', { text: 'email_ascii' }) : null
}

/**
 * Parses one plain address, such as `Ada@Example.org`, and makes its key, as the plugin does with every address. For
 * scripts that import users.
 * @returns `null` if the text isn't a plain address: quoted, with a comment, a group, a list
 */
export function parseEmail(text: string): EmailAddress | null {
  if (text.length > 2 * maxEmailLength) return null
  const email = text.trim().normalize('NFC')
  // Full-width and other compatibility forms would become another address in transit: U+FF20 becomes "@".
  if (email !== email.normalize('NFKC') || codePoints(email) > maxEmailLength) return null
  const parts = email.split('@')
  const [local = '', domain = ''] = parts
  if (parts.length !== 2 || local.length > 64 || !localPart.test(local)) return null
  const labels = domain.split('.')
  if (labels.length < 2 && domain !== 'localhost') return null
  if (labels.some((label) => !domainLabel.test(label))) return null
  // Lowercased first, because Node.js before 24 maps a capital sharp s (ẞ) to ss, and later versions to ß.
  const asciiDomain = domainToASCII(domain.toLowerCase())
  // The length limits of RFC 1035 section 2.3.4, which DNS imposes.
  if (asciiDomain === '' || asciiDomain.length > 253 || /[^.]{64}/.test(asciiDomain)) return null
  // URLs accept numbers in many spellings: `0x7f.1` is 127.0.0.1, not a name.
  if (isIP(asciiDomain) !== 0) return null
  // Since Node.js 24, a label that decodes to nothing passes; an address must be the same everywhere.
  const unicodeDomain = domainToUnicode(asciiDomain)
  if (unicodeDomain.split('.').some((label) => label.startsWith('xn--'))) return null
  // Mailers may map capitals differently as well; the address must lead to the mailbox that the key stands for.
  const mailed = domain.toLowerCase() === asciiDomain ? email : `${local}@${unicodeDomain}`
  if (codePoints(mailed) > maxEmailLength) return null
  // Only lower case: lookalike addresses must not share a mailbox, or one could be taken from its owner.
  return { email: mailed, emailKey: `${local.toLowerCase()}@${asciiDomain}` }
}

/**
 * The same for what somebody typed or pasted: white space and invisible characters around it, such as marks of direction,
 * are ignored. Not for addresses that somebody vouches for.
 */
export function parseTypedEmail(text: string): EmailAddress | null {
  if (text.length > 2 * maxEmailLength) return null
  return parseEmail(text.replace(/^[\s\p{Cf}]+|[\s\p{Cf}]+$/gu, ''))
}
