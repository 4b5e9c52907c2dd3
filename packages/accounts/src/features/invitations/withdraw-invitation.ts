import type { Deps } from '../../deps.js'
import { changedMeanwhile } from '../../errors.js'
import type { AccountUser } from '../../user.js'
import type { Actor } from '../../users/change.js'
import { withInvitation } from './invited/with-invitation.js'

/**
 * Withdraws an invitation, which can't take effect afterwards.
 * @throws AccountsError ACCOUNTS_FORBIDDEN, ACCOUNTS_NOT_FOUND, ACCOUNTS_CONFLICT
 */
export async function withdrawInvitation(
  deps: Pick<Deps, 'users' | 'options' | 'invitations' | 'events'>,
  actor: Actor<AccountUser>,
  id: string,
): Promise<void> {
  await withInvitation(deps, actor, id, async ({ inviterId, version }) => {
    const inviter = inviterId === null ? null : { id: inviterId }
    const told = deps.events.about('invitation.withdrawn', inviter, { invitation_id: id })
    if (!(await deps.invitations.delete(id, version, told))) throw changedMeanwhile()
  })
}
