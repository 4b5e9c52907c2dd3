import type { User } from '../user.js'
import { givenName } from './harmless-text.js'

/**
 * The name of a key, a passkey or a session as an email shows it: nothing at an unverified address, because anybody could have a text of their
 * own sent to anybody, and no more than a name of a thief's to the owner.
 */
export function mailedName({ isVerified }: Pick<User, 'isVerified'>, name: string): string | null {
  return isVerified ? givenName(name) : null
}
