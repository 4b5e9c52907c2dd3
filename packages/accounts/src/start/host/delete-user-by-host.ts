import { findServiceById } from '../../identifiers/user-id.js'
import { deleteAccount } from '../../users/delete-account.js'
import { type DeleteDeps, deleteUser } from '../../users/delete-user.js'
import { isFound } from '../../users/host-accounts.js'

export async function deleteUserByHost(deps: DeleteDeps, userId: string): Promise<boolean> {
  if (await isFound(() => deleteUser(deps, 'host', userId))) return true
  const service = await findServiceById(deps.users, userId)
  return service !== null && (await deleteAccount(deps, service))
}
