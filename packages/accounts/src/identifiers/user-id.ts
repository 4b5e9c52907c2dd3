import type { UserStore } from '../seams/user-store.js'
import type { StoredUser } from '../user.js'

/**
 * The user whose id is spelled exactly like this, from a path that anybody can write. A store that would refuse
 * the text, or would find more than the canonical form, does not widen what answers.
 */
export async function findUserById(
  users: Pick<UserStore, 'findById'>,
  id: string,
): Promise<StoredUser | null> {
  if (id === '' || id.includes('\0') || !id.isWellFormed()) return null
  const user = await users.findById(id)
  return user?.id === id ? user : null
}
