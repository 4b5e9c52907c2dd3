import type { Deps } from '../../deps.js'
import { findServiceById } from '../../identifiers/user-id.js'
import { deleteUser } from '../../users/delete-user.js'
import { isFound } from '../../users/host-accounts.js'

export async function deleteUserByHost(
  deps: Pick<Deps, 'users' | 'options' | 'postOffice' | 'removeSessions' | 'invitations'>,
  userId: string,
): Promise<boolean> {
  if (await isFound(() => deleteUser(deps, 'host', userId))) return true
  const service = await findServiceById(deps.users, userId)
  return service !== null && (await deps.users.delete(service))
}
