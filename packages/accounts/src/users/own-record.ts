import type { Deps } from '../deps.js'
import { AccountsError } from '../errors.js'
import type { StoredUser, User } from '../user.js'

/**
 * The whole record of the logged-in user, with the credentials and identities that the request's user lacks.
 * @throws AccountsError ACCOUNTS_LOGIN_REQUIRED if the session has ended meanwhile
 */
export async function ownRecord(
  { users }: Pick<Deps, 'users'>,
  { id, sessionEpoch }: User,
): Promise<StoredUser> {
  const found = await users.findById(id)
  if (!found?.isActive || found.sessionEpoch !== sessionEpoch)
    throw new AccountsError('ACCOUNTS_LOGIN_REQUIRED')
  return found
}
