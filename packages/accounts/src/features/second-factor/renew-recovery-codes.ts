import type { Deps } from '../../deps.js'
import { AccountsError } from '../../errors.js'
import type { StoredUser, User } from '../../user.js'
import { changeOwn, ownRecord } from '../../users/own-record.js'
import { newRecoveryCodes } from './factors/recovery-codes.js'

/**
 * Makes new recovery codes; the old ones stop working.
 * @throws AccountsError ACCOUNTS_CONFLICT if no factor is on
 */
export async function renewRecoveryCodes(
  deps: Pick<Deps, 'users' | 'vault' | 'postOffice'>,
  user: User,
): Promise<string[]> {
  const found = await ownRecord(deps, user)
  if (found.factors.length === 0) throw new AccountsError('ACCOUNTS_CONFLICT', { reason: 'no_second_factor' })
  const { codes, credentials } = newRecoveryCodes(deps.vault)
  const others = (current: StoredUser) => current.credentials.filter(({ kind }) => kind !== 'recovery-code')
  const changesFor = (current: StoredUser) =>
    current.factors.length === 0 ? null : { credentials: [...others(current), ...credentials] }
  await changeOwn(deps, found, user, changesFor, {
    messages: (later) => deps.postOffice.about('recovery-codes-changed', later),
  })
  return codes
}
