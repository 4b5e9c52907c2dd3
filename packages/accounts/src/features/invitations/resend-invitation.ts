import { isDeepStrictEqual } from 'node:util'
import { AccountsError } from '../../errors.js'
import { addressKey } from '../../throttle/throttle.js'
import type { AccountUser } from '../../user.js'
import type { Actor } from '../../users/change.js'
import type { InviteDeps } from './invite.js'
import { invitedChanges } from './invited/invited-changes.js'
import { openInvitation, withInvitation } from './invited/with-invitation.js'

/**
 * Sends an invitation again, with a new link and a new lifetime; the earlier link ends.
 * @throws AccountsError ACCOUNTS_FORBIDDEN, ACCOUNTS_NOT_FOUND, ACCOUNTS_CONFLICT; ACCOUNTS_THROTTLED if the address
 * has had too many emails, after which the earlier link still works
 */
export async function resendInvitation(
  deps: InviteDeps,
  actor: Actor<AccountUser>,
  id: string,
  lifetime: number,
): Promise<void> {
  await withInvitation(deps, actor, id, async (user, { roles, emailKey }) => {
    await deps.throttle.spend('invitationMails', addressKey(emailKey))
    const changed = await deps.users.change(
      user,
      (current) => {
        const now = openInvitation(current)
        // Others may have added roles meanwhile, which the actor may not give.
        return now !== null && isDeepStrictEqual(now.roles, roles)
          ? invitedChanges(current, { fields: {}, roles: [] }, { lifetime, isMailed: true, isRenewed: true })
          : null
      },
      { messages: (later) => deps.postOffice.about('invitation', later) },
    )
    if (changed === null) throw new AccountsError('ACCOUNTS_NOT_FOUND')
  })
}
