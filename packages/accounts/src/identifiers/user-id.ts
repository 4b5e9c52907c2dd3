import type { UserStore } from '../seams/user-store.js'
import type { StoredUser } from '../user.js'

/**
 * The user with exactly this id, which comes from a path that anybody can write. A store that would reject
 * the text, or match more than the canonical form, doesn't change which ids are found. Unclaimed users aren't found:
 * they are nobody's accounts, and only a login by name may find one.
 */
export async function findUserById(
  users: Pick<UserStore, 'findById'>,
  id: string,
): Promise<StoredUser | null> {
  if (id === '' || id.includes('\0') || !id.isWellFormed()) return null
  const user = await users.findById(id)
  return user?.id === id && user.kind !== 'unclaimed' ? user : null
}
