import type { Deps } from '../../deps.js'
import { AccountsError } from '../../errors.js'
import type { StoredUser, User } from '../../user.js'
import { changeOwn, ownRecord } from '../../users/own-record.js'
import { findApp, isTotp, withoutApp, withoutApps } from './factors/credentials.js'

/**
 * Removes one of the logged-in user's authenticator apps, or all, and the recovery codes if no other factor is left.
 * @param id of the one. Default: all of them
 * @throws AccountsError ACCOUNTS_NOT_FOUND if there is none
 */
export async function removeTotp(
  deps: Pick<Deps, 'users' | 'postOffice'>,
  user: User,
  id?: string,
): Promise<void> {
  const changesFor = (current: StoredUser) => {
    const isThere = id === undefined ? current.credentials.some(isTotp) : findApp(current, id)
    if (!isThere) throw new AccountsError('ACCOUNTS_NOT_FOUND')
    return id === undefined ? withoutApps(current) : withoutApp(current, id)
  }
  await changeOwn(deps, await ownRecord(deps, user), user, changesFor, {
    messages: (later) => deps.postOffice.about('factor-removed', later),
  })
}
