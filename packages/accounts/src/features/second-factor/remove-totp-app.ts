import type { Deps } from '../../deps.js'
import { AccountsError } from '../../errors.js'
import type { User } from '../../user.js'
import { ownRecord } from '../../users/own-record.js'
import { changeOwn } from './factors/change-own.js'
import { findApp, withoutApp } from './factors/credentials.js'

/**
 * Removes one of the logged-in user's authenticator apps, and the recovery codes if no other factor is left.
 * @throws AccountsError ACCOUNTS_NOT_FOUND if the user has no such app
 */
export async function removeTotpApp(
  deps: Pick<Deps, 'users' | 'postOffice'>,
  user: User,
  id: string,
): Promise<void> {
  await changeOwn(
    deps,
    await ownRecord(deps, user),
    user,
    (current) => {
      if (findApp(current, id) === undefined) throw new AccountsError('ACCOUNTS_NOT_FOUND')
      return withoutApp(current, id)
    },
    'factor-removed',
  )
}
