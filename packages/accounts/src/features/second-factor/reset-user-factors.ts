import type { Deps } from '../../deps.js'
import { refusal } from '../../errors.js'
import { accountUser, type User } from '../../user.js'
import { changeUser, withPermission } from '../../users/change.js'
import { withoutFactors } from './factors/credentials.js'

/**
 * Removes every second factor of a user, by staff.
 * @throws AccountsError ACCOUNTS_FORBIDDEN, ACCOUNTS_NOT_FOUND, ACCOUNTS_CONFLICT
 */
export async function resetUserFactors(
  deps: Pick<Deps, 'users' | 'options' | 'postOffice'>,
  actor: User,
  id: string,
): Promise<void> {
  await withPermission(deps, accountUser(actor), { id, actions: ['manageUser'] }, async (target) => {
    // Who has one gives it: staff at a browser that was left open must not take their own away.
    if (target.id === actor.id) throw refusal('ACCOUNTS_FORBIDDEN')
    const found = await deps.users.findById(target.id)
    if (found === null) throw refusal('ACCOUNTS_NOT_FOUND')
    const changed = await changeUser(
      deps.users,
      found,
      (current) => (current.factors.length === 0 ? {} : withoutFactors(current)),
      (later) => deps.postOffice.about('factor-removed', later),
    )
    if (changed === null) throw refusal('ACCOUNTS_NOT_FOUND')
  })
}
