import type { Deps } from '../../deps.js'
import { fieldError, invalidInput } from '../../errors.js'
import type { FeatureHost } from '../../features/host.js'
import type { IdentityName } from '../../features/identities.js'
import { parseTypedEmail } from '../../identifiers/email.js'
import { findUserById } from '../../identifiers/user-id.js'
import { usernameKey } from '../../identifiers/username.js'
import type { User } from '../../user.js'
import { isPlainText } from '../../validation.js'

/** What to find a user by: exactly one of them. */
export type UserQuery = { id: string } | { username: string } | { email: string } | { identity: IdentityName }

export async function findUser(
  { users }: Pick<Deps, 'users'>,
  findByIdentity: Required<FeatureHost>['findByIdentity'],
  query: UserQuery,
): Promise<User | null> {
  const [[name, value] = ['', undefined], ...more] = Object.entries(query)
  if (name === 'identity' && more.length === 0) {
    const user = await findByIdentity(value)
    return user?.kind === 'person' ? user : null
  }
  if (!['id', 'username', 'email'].includes(name) || typeof value !== 'string' || more.length > 0) {
    throw invalidInput(fieldError(name, 'invalid'))
  }
  if (name === 'id') return findUserById(users, value)
  if (name === 'username') {
    const key = usernameKey(value)
    const user = key !== '' && isPlainText(key) ? await users.findByUsername(key) : null
    return user?.kind === 'person' ? user : null
  }
  const address = parseTypedEmail(value)
  return address === null ? null : users.findByEmail(address.emailKey)
}
