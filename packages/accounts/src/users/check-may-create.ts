import type { Deps } from '../deps.js'
import { AccountsError } from '../errors.js'
import type { AccountUser } from '../user.js'

/** @throws AccountsError ACCOUNTS_FORBIDDEN */
export async function checkMayCreate(
  { authorize }: Pick<Deps['options'], 'authorize'>,
  actor: AccountUser | null,
): Promise<void> {
  if (await authorize.createUser(actor)) return
  throw new AccountsError('ACCOUNTS_FORBIDDEN', { reason: actor === null ? 'sign_up_closed' : undefined })
}

/**
 * Whether a new user may get these roles from the person who creates them.
 * @throws AccountsError ACCOUNTS_FORBIDDEN
 */
export async function checkMayGrant(
  { authorize }: Pick<Deps['options'], 'authorize'>,
  actor: AccountUser | null,
  roles: readonly string[] | undefined,
): Promise<void> {
  if (roles === undefined) return
  const mayGrant = actor !== null && (await authorize.grantRights(actor, null, { roles }))
  if (!mayGrant) throw new AccountsError('ACCOUNTS_FORBIDDEN')
}
