import type { Deps } from '../../deps.js'
import { AccountsError } from '../../errors.js'
import { isRememberedDevice } from '../../logins/remembered-devices.js'
import type { StoredUser, User } from '../../user.js'
import { ownRecord } from '../../users/own-record.js'

/**
 * Requires the second factor on a device again.
 * @throws AccountsError ACCOUNTS_NOT_FOUND if the user has no such remembered device
 */
export async function removeRememberedDevice(
  deps: Pick<Deps, 'users'>,
  user: User,
  id: string,
): Promise<void> {
  const without = ({ credentials }: StoredUser) => {
    const left = credentials.filter((each) => !(isRememberedDevice(each) && each.id === id))
    return left.length === credentials.length ? null : { credentials: left }
  }
  if ((await deps.users.change(await ownRecord(deps, user), without)) === null)
    throw new AccountsError('ACCOUNTS_NOT_FOUND')
}
