import { randomBytes } from 'node:crypto'
import { type FieldError, fieldError } from '../errors.js'
import type { User } from '../user.js'
import { type EmailAddress, parseEmail } from './email.js'
import { checkUsername, usernameKey } from './username.js'

/**
 * Whether a name could be taken for an email address: an `@` with something on both sides, in any spelling. Wider than
 * what an address is, so that no fold of an address slips through.
 */
export function looksLikeAddress(username: string): boolean {
  return /.@./su.test(usernameKey(username))
}

/** Whether a name, and what it is compared by, both read as the address of this key. */
export function isAddress(username: string, emailKey: string | null): boolean {
  return [username, usernameKey(username)].every((text) => keyOf(text) === emailKey && emailKey !== null)
}

/**
 * What is wrong with a name that is somebody's address, or may be: only one's own is accepted. Whose else it is, is not
 * looked up.
 * @param emailKey of the same account
 */
export function addressNameFaults(username: string, emailKey: string | null): FieldError[] {
  if (!looksLikeAddress(username) || isAddress(username, emailKey)) return []
  return [fieldError('username', 'invalid', { text: 'username_address' })]
}

/**
 * The address that somebody means who types it where a name or an address is asked for, as a key; `null` where it is
 * none. Wide letters are read as plain ones, as in a name: nothing is mailed there.
 */
export function typedAddress(text: string): string | null {
  return keyOf(text.normalize('NFKC'))
}

/** The name that an address makes; `null` where a name cannot hold it. */
function nameOf({ email, emailKey }: EmailAddress): string | null {
  return checkUsername(email) === null && isAddress(email, emailKey) ? email : null
}

/** The part of a user that is a name. */
type Name = { [Field in 'username' | 'usernameKey']: NonNullable<User[Field]> }

/** A name that nobody chose, and that tells nothing of its bearer: `user-` and 80 bits. */
export function replacementName(): Name {
  const username = `user-${randomBytes(10).toString('hex')}`
  return { username, usernameKey: usernameKey(username) }
}

/** Whether a username was made by `replacementName`: nobody chose it. */
export const isReplacementName = (username: string | null): boolean =>
  username !== null && /^user-[0-9a-f]{20}$/.test(username)

/**
 * What becomes of the name of an account whose address changes: one that is the old address follows it, and any other
 * stays as it is. An account without a name that is left without an address gets a name: one of both it always has.
 * @param address `null` where the account is left without one
 * @param isFree whether the name may be the new address, as far as is known
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

function keyOf(text: string): string | null {
  return parseEmail(text)?.emailKey ?? null
}
