import type { Deps } from '../../deps.js'
import { AccountsError } from '../../errors.js'
import { findUserById } from '../../identifiers/user-id.js'
import type { Invitation } from '../../seams/invitation-store.js'
import { type AccountUser, accountUser } from '../../user.js'
import type { Actor } from '../change.js'
import { checkMayGrant } from '../check-may-create.js'
import { giftOf } from './invitation.js'

interface RightsDeps extends Pick<Deps, 'options'> {
  users: Pick<Deps['users'], 'findById'>
}

/** @throws AccountsError ACCOUNTS_FORBIDDEN if the actor may not invite, or not give these roles */
export async function checkMayInvite(
  { options }: Pick<RightsDeps, 'options'>,
  actor: Actor<AccountUser>,
  roles: readonly string[],
): Promise<void> {
  if (actor === 'host') return
  if (!(await options.authorize.invite(actor))) throw new AccountsError('ACCOUNTS_FORBIDDEN')
  if (roles.length > 0) await checkMayGrant(options, actor, roles)
}

/**
 * Whether an invitation still gives what it says: who made it may have been disabled since, or have lost the right. What the
 * app's own code has made always does.
 */
export async function isGood(
  { users, options }: RightsDeps,
  invitation: Pick<Invitation, 'inviterId' | 'gives'>,
): Promise<boolean> {
  const { inviterId } = invitation
  if (inviterId === null) return true
  const inviter = await findUserById(users, inviterId)
  if (!inviter?.isActive) return false
  try {
    await checkMayInvite({ options }, accountUser(inviter), giftOf(invitation).roles)
    return true
  } catch (error) {
    if (error instanceof AccountsError && error.code === 'ACCOUNTS_FORBIDDEN') return false
    throw error
  }
}
