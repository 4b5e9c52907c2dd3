import type { Deps } from '../../../deps.js'
import { type ApiKey, apiKeysOf, keyIdentity } from '../../../tokens/api-key.js'
import type { StoredUser } from '../../../user.js'
import { digest, isSame, readKey } from './key-text.js'

/** `needs` guarantees that the method exists. */
type FindsByIdentity = Pick<Deps['users'], 'findByIdentity'>

/** A key that works, and whose it is. */
export interface FoundKey {
  user: StoredUser
  key: ApiKey
}

/**
 * The account of a key: one look-up. `null` for a key that doesn't work: mistyped, unknown, of another mount, expired, or
 * of a disabled account.
 * @param realm the mount that is asked
 * @throws AccountsError ACCOUNTS_UNAVAILABLE
 */
export async function findByKey(
  users: FindsByIdentity,
  realm: string,
  text: string,
): Promise<FoundKey | null> {
  const parts = readKey(text)
  if (parts === null) return null
  const found = await lookUp(users, parts.id)
  const { hash = null } = found?.key ?? {}
  const isRight = hash !== null && isSame(hash, digest(parts.secret)) && found?.key.realm === realm
  return isRight && works(found) ? found : null
}

/**
 * The same for the key of another system, which was imported. `undefined` if it isn't one: it may be the app's own.
 * @throws AccountsError ACCOUNTS_UNAVAILABLE
 */
export async function findByForeignKey(
  users: FindsByIdentity,
  text: string,
): Promise<FoundKey | null | undefined> {
  const found = await lookUp(users, digest(text))
  if (found === null || found.key.hash !== null) return undefined
  return works(found) ? found : null
}

async function lookUp(users: FindsByIdentity, id: string): Promise<FoundKey | null> {
  const user = (await users.findByIdentity?.(keyIdentity(id))) ?? null
  const key = user && apiKeysOf(user).find((each) => each.id === id)
  return key ? { user, key } : null
}

const works = ({ user, key }: FoundKey): boolean => user.isActive && Date.now() < Date.parse(key.expiresAt)
