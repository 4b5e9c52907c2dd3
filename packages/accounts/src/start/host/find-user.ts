import type { Deps } from '../../deps.js'
import { fieldError, invalidInput } from '../../errors.js'
import { parseEmail } from '../../identifiers/email.js'
import { findUserById } from '../../identifiers/user-id.js'
import { usernameKey } from '../../identifiers/username.js'
import type { User } from '../../user.js'
import { isPlainText } from '../../validation.js'

/** What to find a user by: exactly one of them. */
export type UserQuery = { id: string } | { username: string } | { email: string }

/**
 * The user with this id, username or address, in any spelling of the last two; `null` if there is none.
 * @throws AccountsError ACCOUNTS_INVALID_INPUT if it is none of them, or not a string
 */
export async function findUser({ users }: Pick<Deps, 'users'>, query: UserQuery): Promise<User | null> {
  const [[name, text] = ['', undefined], ...more] = Object.entries(query)
  if (!['id', 'username', 'email'].includes(name) || typeof text !== 'string' || more.length > 0) {
    throw invalidInput(fieldError(name, 'invalid'))
  }
  if ('id' in query) return findUserById(users, query.id)
  if ('username' in query) {
    const key = usernameKey(query.username)
    const user = key !== '' && isPlainText(key) ? await users.findByUsername(key) : null
    return user?.kind === 'unclaimed' ? null : user
  }
  const address = parseEmail(query.email)
  return address === null ? null : users.findByEmail(address.emailKey)
}
