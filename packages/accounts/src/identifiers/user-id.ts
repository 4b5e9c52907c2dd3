import type { UserStore } from '../seams/user-store.js'
import type { StoredUser } from '../user.js'

/**
 * The user with exactly this id, which comes from a path that anybody can write. A store that would reject
 * the text, or match more than the canonical form, doesn't change which ids are found. Only people are found: unclaimed
 * users are nobody's accounts, only a login by name may find one, and nobody is behind a service account.
 */
export async function findUserById(
  users: Pick<UserStore, 'findById'>,
  id: string,
): Promise<StoredUser | null> {
  const user = await findById(users, id)
  return user?.kind === 'person' ? user : null
}

/** The service account with exactly this id. */
export async function findServiceById(
  users: Pick<UserStore, 'findById'>,
  id: string,
): Promise<StoredUser | null> {
  const user = await findById(users, id)
  return user?.kind === 'service' ? user : null
}

async function findById(users: Pick<UserStore, 'findById'>, id: string): Promise<StoredUser | null> {
  if (id === '' || id.includes('\0') || !id.isWellFormed()) return null
  const user = await users.findById(id)
  return user?.id === id ? user : null
}
