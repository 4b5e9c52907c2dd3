import type { Deps } from '../../deps.js'
import { AccountsError } from '../../errors.js'
import type { User } from '../../user.js'
import { ownRecord } from '../../users/own-record.js'
import { changeOwn } from './factors/change-own.js'
import { isTotp, withoutApps } from './factors/credentials.js'

/**
 * Removes all of the logged-in user's authenticator apps, and the recovery codes if no other factor is left.
 * @throws AccountsError ACCOUNTS_NOT_FOUND if there is none
 */
export async function removeTotp(deps: Pick<Deps, 'users' | 'postOffice'>, user: User): Promise<void> {
  const found = await ownRecord(deps, user)
  if (!found.credentials.some(isTotp)) throw new AccountsError('ACCOUNTS_NOT_FOUND')
  await changeOwn(deps, found, user, withoutApps, 'factor-removed')
}
