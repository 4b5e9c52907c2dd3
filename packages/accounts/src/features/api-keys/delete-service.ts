import type { Deps } from '../../deps.js'
import { AccountsError } from '../../errors.js'
import type { User } from '../../user.js'
import { withService } from './keys/with-service.js'

/**
 * Deletes a service account, and its API keys with it.
 * @throws AccountsError ACCOUNTS_FORBIDDEN, ACCOUNTS_NOT_FOUND
 */
export async function deleteService(
  deps: Pick<Deps, 'users' | 'options'>,
  actor: User,
  id: string,
): Promise<void> {
  await withService(deps, actor, id, async () => {
    if (!(await deps.users.delete(id))) throw new AccountsError('ACCOUNTS_NOT_FOUND')
  })
}
