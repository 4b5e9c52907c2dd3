import type { Deps } from '../../../deps.js'
import { AccountsError } from '../../../errors.js'
import type { AccountUser } from '../../../user.js'
import type { Actor } from '../../../users/change.js'
import { checkMayGrant } from '../../../users/check-may-grant.js'

/** @throws AccountsError ACCOUNTS_FORBIDDEN if the actor may not invite, or not give these roles */
export async function checkMayInvite(
  { options }: Pick<Deps, 'options'>,
  actor: Actor<AccountUser>,
  roles: readonly string[],
): Promise<void> {
  if (actor === 'host') return
  if (!(await options.authorize.invite(actor))) throw new AccountsError('ACCOUNTS_FORBIDDEN')
  if (roles.length > 0) await checkMayGrant(options, actor, roles)
}
