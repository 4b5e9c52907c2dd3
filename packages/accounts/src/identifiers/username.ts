import { type FieldError, fieldError } from '../errors.js'
import { codePoints, fold } from './fold.js'
import { reservedUsernames } from './reserved-usernames.js'
import { mixesArabicDigits, withoutSignsInPlace } from './signs-in-place.js'

/** Code points, before and after folding (one character can fold into eighteen). */
export const maxUsernameLength = 150

// Letters with their marks, digits, and the five signs that Django allows.
const allowed = /^[\p{L}\p{N}@.+_-][\p{L}\p{M}\p{N}@.+_-]*$/u
// Characters that are letters by category but invisible, such as U+3164.
const invisible = /\p{Default_Ignorable_Code_Point}/u

/**
 * The key for comparing usernames, `User.usernameKey`: in Unicode normalization form KC, without case and invisible
 * characters, so `Ada`, `ADA` and `ａda` are the same. It accepts any text, also usernames that nobody could choose today,
 * for scripts that import users. The key of a key is itself.
 */
export const usernameKey: (username: string) => string = fold

/** The fault of a chosen username, or `null`. */
export function checkUsername(username: string): FieldError | null {
  if (username === '') return fieldError('username', 'required')
  // Checked before folding, which takes time.
  if (username.length > 2 * maxUsernameLength) return tooLong()
  // The key of a valid-looking name may be invalid.
  for (const text of [username, usernameKey(username)]) {
    if (codePoints(text) > maxUsernameLength) return tooLong()
    const rest = withoutSignsInPlace(text)
    if (!allowed.test(rest) || invisible.test(rest) || mixesArabicDigits(text)) {
      return fieldError('username', 'invalid', { text: 'username_characters' })
    }
  }
  const isReserved = reservedUsernames.has(usernameKey(username))
  return isReserved ? fieldError('username', 'invalid', { text: 'username_reserved' }) : null
}

function tooLong(): FieldError {
  return fieldError('username', 'too_long', { text: 'max_length', count: maxUsernameLength })
}
