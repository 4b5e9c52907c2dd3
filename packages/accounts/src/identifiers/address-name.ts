import { randomBytes } from 'node:crypto'
import { type FieldError, fieldError } from '../errors.js'
import type { User } from '../user.js'
import { type EmailAddress, parseEmail, parseTypedEmail } from './email.js'
import { checkUsername, usernameKey } from './username.js'

/**
 * Whether a username could be taken for an email address: an `@` with something on both sides, in any
 * spelling. Wider than the definition of an address, so no folded address slips through.
 */
export function looksLikeAddress(username: string): boolean {
  return /.@./su.test(usernameKey(username))
}

/** Whether a username and its key both read as the address with this key. */
export function isAddress(username: string, emailKey: string | null): boolean {
  return [username, usernameKey(username)].every((text) => parseEmail(text)?.emailKey === emailKey)
}

/**
 * The fault of a username that is, or could be, an address: only the account's own is accepted. Who else has
 * it isn't looked up.
 * @param emailKey of the same account
 */
export function addressNameFaults(username: string, emailKey: string | null): FieldError[] {
  if (!looksLikeAddress(username) || isAddress(username, emailKey)) return []
  return [fieldError('username', 'invalid', { text: 'username_address' })]
}

/**
 * The key of the address typed into a field for a username or address; `null` if it is none. Wide letters are
 * read as plain ones, as in a username: no email is sent there.
 */
export function typedAddress(text: string): string | null {
  return parseTypedEmail(text.normalize('NFKC'))?.emailKey ?? null
}

/** The username that an address makes; `null` if it isn't a valid username. */
function nameOf({ email, emailKey }: EmailAddress): string | null {
  return checkUsername(email) === null && isAddress(email, emailKey) ? email : null
}

/** The username part of a user. */
type Name = { [Field in 'username' | 'usernameKey']: NonNullable<User[Field]> }

/** A generated username that reveals nothing about its user: `user-` and 80 bits. */
export function replacementName(): Name {
  const username = `user-${randomBytes(10).toString('hex')}`
  return { username, usernameKey: usernameKey(username) }
}

/** Whether a username was made by `replacementName`. */
export const isReplacementName = (username: string | null): boolean =>
  username !== null && /^user-[0-9a-f]{20}$/.test(username)

/**
 * The username after a change of address: one that is the old address follows it, any other stays. An account
 * left with neither username nor address gets a username, because it always has one of the two.
 * @param address `null` if the account is left without one
 * @param isFree whether the new address may become the username, as far as is known
 */
export function followingName(
  current: Pick<User, 'username' | 'emailKey'>,
  address: EmailAddress | null,
  isFree: boolean = true,
): Name | Record<string, never> {
  if (current.username === null) return address === null ? replacementName() : {}
  if (current.emailKey === null || typedAddress(current.username) !== current.emailKey) return {}
  const username = address === null || !isFree ? null : nameOf(address)
  return username === null ? replacementName() : { username, usernameKey: usernameKey(username) }
}
