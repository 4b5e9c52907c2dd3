import { isAddress } from '../identifiers/address-name.js'
import type { JsonValue, User, UserFields } from '../user.js'
import { emailKeyOf } from './pending-mail.js'

/** Puts a text on one line: an email's subject can't span several, nor can a name. */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()
}

/**
 * The name of an account as its emails may show it. Somebody else may have chosen it, to have the service send a text
 * of theirs, and mail clients turn whatever looks like a host, a URL or an address into a link. So an address that
 * nobody has proven gets no such name, and a proven one gets it with signs that no client takes for a link. Only the
 * recipient's own address is harmless.
 */
export function unlinkedName(
  name: string | null,
  { address, isProven }: { address: string; isProven: boolean },
): string | null {
  if (name === null || !looksLikeLink(name) || isAddress(name, emailKeyOf(address))) return name
  return isProven ? unlinked(name) : null
}

/** A dot between two other characters, a sign of a URL or an address, or a phone number; in any width. */
function looksLikeLink(name: string): boolean {
  return /[@:/\\]|\S[.。]\S/u.test(name.normalize('NFKC')) || hasPhoneNumber(name)
}

/** Dates and addresses with as many digits can't be told from one. */
function hasPhoneNumber(text: string): boolean {
  return /(?<![\p{L}\d])\d(?:[-_. ()/]{0,3}\d){6,}(?![\p{L}\d])/u.test(text.normalize('NFKC'))
}

/** The most characters of a given name: enough to recognize it, and too few for a story. */
const mostOfName = 40

/**
 * The name that a key, a passkey or a session was given, as an email to its owner may show it: it may be a thief's, who
 * would have their own text in a genuine notice. `null` with a phone number, which can't be made harmless.
 */
export function givenName(name: string): string | null {
  if (hasPhoneNumber(name)) return null
  const letters = [...unlinked(name)]
  return letters.length > mostOfName ? `${letters.slice(0, mostOfName - 1).join('')}…` : letters.join('')
}

/** The same at an address that may be unverified: nothing there, because anybody could have a text of their own sent to anybody. */
export function mailedName({ isVerified }: Pick<User, 'isVerified'>, name: string): string | null {
  return isVerified ? givenName(name) : null
}

/**
 * A text in which no mail client finds a link. Its signs look alike, and a username pasted into a login still works,
 * because its key folds them to the usual ones.
 */
export function unlinked(text: string): string {
  return text
    .replaceAll(/(?<=\S)[.．。｡](?=\S)/gu, '․')
    .replaceAll(/[@﹫]/gu, '＠')
    .replaceAll(/[:﹕](?=\S)/gu, '：')
}

/** A value of an own field with all its texts on one line and without links: users write these fields themselves. */
function unlinkedValue(value: JsonValue): JsonValue {
  if (typeof value === 'string') return unlinked(oneLine(value))
  if (Array.isArray(value)) return value.map(unlinkedValue)
  return typeof value === 'object' && value !== null ? unlinkedValues(value) : value
}

/** The same for an object. */
export function unlinkedValues(values: Readonly<UserFields>): UserFields {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, unlinkedValue(value)]))
}
