import type { FieldErrorCode } from '../errors.js'
import { codePoints, fold } from './fold.js'
import { reservedUsernames } from './reserved-usernames.js'

/** Code points, before and after folding (one character can fold into eighteen). */
export const maxUsernameLength = 150

// Letters with their marks, digits, and the five signs that Django allows.
const allowed = /^[\p{L}\p{N}@.+_-][\p{L}\p{M}\p{N}@.+_-]*$/u
// Characters that are letters by their category and yet cannot be seen, such as U+3164.
const invisible = /\p{Default_Ignorable_Code_Point}/u

/**
 * What a username is compared by, as a store keeps it in `User.usernameKey`: in Unicode normalisation form KC and
 * without case, so that `Ada`, `ADA` and `ａda` are one. For users who come from elsewhere, too: it takes any text,
 * also a name that nobody could choose today, and the key of a key is itself.
 */
export const usernameKey: (username: string) => string = fold

/** What is wrong with a username that somebody chose, or `null`. */
export function checkUsername(username: string): FieldErrorCode | null {
  if (username === '') return 'required'
  if (username.length > 2 * maxUsernameLength || codePoints(username) > maxUsernameLength) return 'too_long'
  if (!allowed.test(username) || invisible.test(username)) return 'invalid'
  const key = usernameKey(username)
  if (codePoints(key) > maxUsernameLength) return 'too_long'
  if (!allowed.test(key) || invisible.test(key) || reservedUsernames.has(key)) return 'invalid'
  return null
}
