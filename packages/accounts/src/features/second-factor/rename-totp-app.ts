import type { Deps } from '../../deps.js'
import { AccountsError } from '../../errors.js'
import type { User } from '../../user.js'
import { ownRecord } from '../../users/own-record.js'
import { findApp, type TotpCredential, withApp } from './factors/credentials.js'

/**
 * Renames an authenticator app.
 * @throws AccountsError ACCOUNTS_THROTTLED; ACCOUNTS_NOT_FOUND if the user has no such app
 */
export async function renameTotpApp(
  deps: Pick<Deps, 'users' | 'throttle'>,
  user: User,
  id: string,
  name: string,
): Promise<TotpCredential> {
  await deps.throttle.spend('changeProfile', user.id)
  const changed = await deps.users.change(await ownRecord(deps, user), (current) =>
    findApp(current, id) ? { credentials: withApp(current.credentials, id, { name }) } : null,
  )
  const app = changed && findApp(changed, id)
  if (!app) throw new AccountsError('ACCOUNTS_NOT_FOUND')
  return app
}
