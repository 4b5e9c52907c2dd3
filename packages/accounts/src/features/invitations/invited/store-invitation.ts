import { randomBytes } from 'node:crypto'
import type { Deps } from '../../../deps.js'
import { changedMeanwhile } from '../../../errors.js'
import type { Invitation } from '../../../seams/invitation-store.js'
import { type InvitationState, invitationState } from '../../../users/invitations/find-invitations.js'
import { mailKey, mailsAbout, sendAgain } from './send-again.js'
import { checkOpen } from './with-invitation.js'

/** An invitation as its inviter makes it. */
type NewInvitation = Pick<Invitation, 'target' | 'inviterId' | 'email' | 'emailKey' | 'gives'>

interface StoreRules<D> {
  lifetime: number
  checkRoom(ofAddress: readonly Invitation[]): Promise<void>
  stateOf?: (deps: D, invitation: Invitation) => Promise<InvitationState>
}

/**
 * Stores an invitation, in the place of a former one with the same target, inviter and address, and emails its link.
 * @param facts.gives as its target means it
 * @param rules.lifetime in milliseconds
 * @param rules.checkRoom throws if there is no room for another; gets all invitations of the address
 * @param rules.stateOf as the target knows it. Default: as those to an account
 * @throws AccountsError as `invite`
 */
export async function storeInvitation<
  D extends Pick<Deps, 'users' | 'invitations' | 'postOffice' | 'throttle'>,
>(
  deps: D,
  facts: NewInvitation,
  { lifetime, checkRoom, stateOf = invitationState }: StoreRules<D>,
): Promise<Invitation> {
  const { invitations, throttle } = deps
  const { target, inviterId, email, emailKey, gives } = facts
  const all = await invitations.listByEmail(emailKey)
  const former = all.find((each) => each.target === target && each.inviterId === inviterId)
  if (former === undefined) await checkRoom(all)
  const state = former && (await stateOf(deps, former))
  // Expired, or accepted by a process that died: it is gone.
  const isOver = state === 'expired' || state === 'accepted'
  if (former !== undefined && !isOver) await checkOpen(deps, former, stateOf)
  await throttle.spend('invitationMails', mailKey(inviterId, facts))
  if (former !== undefined && isOver) await invitations.delete(former.id, former.version)
  const stored =
    former === undefined || isOver
      ? await create(deps, { target, inviterId, email, emailKey, gives }, lifetime)
      : await sendAgain(deps, former, lifetime, { email, gives })
  // The same inviter was faster, in another request.
  if (stored === null) throw changedMeanwhile()
  return stored
}

async function create(
  { invitations, postOffice }: Pick<Deps, 'invitations' | 'postOffice'>,
  facts: NewInvitation,
  lifetime: number,
): Promise<Invitation | null> {
  const createdAt = new Date()
  const invitation = {
    ...facts,
    id: randomBytes(16).toString('base64url'),
    createdAt,
    expiresAt: new Date(createdAt.getTime() + lifetime),
    sends: 1,
    acceptingUntil: null,
  }
  const stored = { ...invitation, version: 1 }
  return (await invitations.create(invitation, mailsAbout(postOffice, stored))) ? stored : null
}
