import type { Deps } from '../../deps.js'
import { AccountsError } from '../../errors.js'
import type { MailKind } from '../../seams/mailer.js'
import { accountUser, type User } from '../../user.js'
import { withPermission } from '../../users/change.js'
import { withoutAny } from './factors/without-any.js'

/**
 * Removes all second factors of a user, by staff. Passkeys go too, except those that are the last way to log
 * in.
 * @throws AccountsError ACCOUNTS_FORBIDDEN, ACCOUNTS_NOT_FOUND, ACCOUNTS_CONFLICT
 */
export async function resetUserFactors(
  deps: Pick<Deps, 'users' | 'options' | 'postOffice' | 'hasWayIn'>,
  actor: User,
  id: string,
  mail: MailKind,
): Promise<void> {
  await withPermission(deps, accountUser(actor), { id, actions: ['manageUser'] }, async (target) => {
    // To remove their own, staff must give it: a browser left open must not be enough.
    if (target.id === actor.id) throw new AccountsError('ACCOUNTS_FORBIDDEN')
    const found = await deps.users.findById(target.id)
    if (found === null) throw new AccountsError('ACCOUNTS_NOT_FOUND')
    const changed = await deps.users.change(found, (current) => withoutAny(current, deps.hasWayIn), {
      messages: (later) => deps.postOffice.about(mail, later),
    })
    if (changed === null) throw new AccountsError('ACCOUNTS_NOT_FOUND')
  })
}
