import type { Deps } from '../../../deps.js'
import { AccountsError, attributed } from '../../../errors.js'
import { findServiceById } from '../../../identifiers/user-id.js'
import { accountUser, type StoredUser, type User } from '../../../user.js'
import type { Actor } from '../../../users/change.js'

/**
 * Runs an action on a service account if the actor may manage them.
 * @throws AccountsError ACCOUNTS_FORBIDDEN, ACCOUNTS_NOT_FOUND
 */
export async function withService<T>(
  { users, options }: Pick<Deps, 'users' | 'options'>,
  actor: User,
  id: string,
  work: (service: StoredUser) => Promise<T> | T,
): Promise<T> {
  await checkManagesServices({ options }, actor)
  const service = await findServiceById(users, id)
  if (service === null) throw new AccountsError('ACCOUNTS_NOT_FOUND')
  return attributed(service, async () => work(service))
}

/** @throws AccountsError ACCOUNTS_FORBIDDEN */
export async function checkManagesServices({ options }: Pick<Deps, 'options'>, actor: Actor): Promise<void> {
  if (actor !== 'host' && !(await options.authorize.manageServices(accountUser(actor))))
    throw new AccountsError('ACCOUNTS_FORBIDDEN')
}
