import type { Deps } from '../../../deps.js'
import { AccountsError, attributed } from '../../../errors.js'
import { findUserById } from '../../../identifiers/user-id.js'
import type { AccountUser, StoredUser } from '../../../user.js'
import type { Actor } from '../../../users/change.js'
import { type Invitation, invitationOf } from '../../../users/invitation.js'
import { checkMayInvite } from './check-may-invite.js'

/** The invitation that an account waits with; `null` if there is none. */
export function openInvitation(user: StoredUser): Invitation | null {
  return user.isActive && !user.isVerified ? invitationOf(user) : null
}

/**
 * Works on an invitation if the actor could have made it.
 * @throws AccountsError ACCOUNTS_FORBIDDEN, ACCOUNTS_NOT_FOUND
 */
export async function withInvitation<T>(
  deps: Pick<Deps, 'users' | 'options'>,
  actor: Actor<AccountUser>,
  id: string,
  work: (user: StoredUser, invitation: Invitation) => Promise<T>,
): Promise<T> {
  await checkMayInvite(deps, actor, [])
  const user = await findUserById(deps.users, id)
  const invitation = user && openInvitation(user)
  if (user === null || invitation === null) throw new AccountsError('ACCOUNTS_NOT_FOUND')
  return attributed(user, async () => {
    await checkMayInvite(deps, actor, invitation.roles)
    return work(user, invitation)
  })
}
