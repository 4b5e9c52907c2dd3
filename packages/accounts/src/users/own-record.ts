import type { Deps } from '../deps.js'
import { AccountsError, changedMeanwhile } from '../errors.js'
import type { AlongChange } from '../sessions/user-updates.js'
import type { StoredUser, User, UserChanges } from '../user.js'

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

/**
 * Changes the logged-in user's record.
 * @param found the record
 * @param login.sessionEpoch as they were admitted: it must still be the record's
 * @throws AccountsError ACCOUNTS_CONFLICT if their sessions have ended meanwhile, or `changesFor` gives up
 */
export async function changeOwn<Known extends User>(
  { users }: Pick<Deps, 'users'>,
  found: Known,
  { sessionEpoch }: User,
  changesFor: (current: Known) => UserChanges | null,
  along: AlongChange<Known>,
): Promise<Known> {
  const changed = await users.change(
    found,
    (current) => (current.sessionEpoch === sessionEpoch ? changesFor(current) : null),
    along,
  )
  if (changed === null) throw changedMeanwhile()
  return changed
}
