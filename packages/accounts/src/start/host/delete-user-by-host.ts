import type { Deps } from '../../deps.js'
import { findUserById } from '../../identifiers/user-id.js'

/** Deletes a user for the host's own code, without calling `authorize`. Returns whether the user existed. */
export async function deleteUserByHost(
  deps: Pick<Deps, 'users' | 'removeSessions'>,
  userId: string,
): Promise<boolean> {
  if ((await findUserById(deps.users, userId)) === null) return false
  const removed = await deps.users.delete(userId)
  await deps.removeSessions(userId)
  return removed
}
