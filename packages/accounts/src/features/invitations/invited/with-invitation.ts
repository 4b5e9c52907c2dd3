import type { Deps } from '../../../deps.js'
import { AccountsError } from '../../../errors.js'
import type { Invitation } from '../../../seams/invitation-store.js'
import type { AccountUser } from '../../../user.js'
import type { Actor } from '../../../users/change.js'
import { checkMayInvite } from '../../../users/invitations/check-may-invite.js'
import { type InvitationState, invitationState } from '../../../users/invitations/find-invitations.js'
import { giftOf, targetOf } from '../../../users/invitations/invitation.js'

/**
 * Works on an open invitation: an actor on one of their own, and staff and the app's own code on any; with roles that they
 * may give.
 * @throws AccountsError ACCOUNTS_FORBIDDEN, ACCOUNTS_NOT_FOUND; ACCOUNTS_CONFLICT if it is being accepted, or has been
 */
export async function withInvitation<T>(
  deps: Pick<Deps, 'users' | 'options' | 'invitations'>,
  actor: Actor<AccountUser>,
  id: string,
  work: (invitation: Invitation) => Promise<T>,
): Promise<T> {
  await checkMayInvite(deps, actor, [])
  const invitation = await deps.invitations.find(id)
  if (invitation?.target !== targetOf(deps.options) || !maySee(actor, invitation))
    throw new AccountsError('ACCOUNTS_NOT_FOUND')
  await checkMayInvite(deps, actor, giftOf(invitation).roles)
  await checkOpen(deps, invitation)
  return work(invitation)
}

/**
 * @param stateOf as its target knows it
 * @throws AccountsError ACCOUNTS_NOT_FOUND, ACCOUNTS_CONFLICT
 */
export async function checkOpen<D extends Pick<Deps, 'users' | 'invitations'>>(
  deps: D,
  invitation: Invitation,
  stateOf: (deps: D, invitation: Invitation) => Promise<InvitationState> = invitationState,
): Promise<void> {
  const state = await stateOf(deps, invitation)
  if (state === 'expired') throw new AccountsError('ACCOUNTS_NOT_FOUND')
  if (state === 'accepting') throw new AccountsError('ACCOUNTS_CONFLICT', { reason: 'being_accepted' })
  if (state === 'open') return
  await deps.invitations.delete(invitation.id, invitation.version)
  throw new AccountsError('ACCOUNTS_CONFLICT', { reason: 'already_accepted' })
}

const maySee = (actor: Actor<AccountUser>, { inviterId }: Invitation): boolean =>
  actor === 'host' || actor.isStaff || actor.id === inviterId
