import type { Deps } from '../../../deps.js'
import type { Invitation } from '../../../seams/invitation-store.js'
import { isGood } from '../../../users/invitations/check-may-invite.js'
import { canTakeEffect, invitationState, leaveOut } from '../../../users/invitations/find-invitations.js'
import { targetOf, wordOf } from '../../../users/invitations/invitation.js'
import type { SubjectDeps } from '../../feature.js'
import { type Invitee, inviteeOf } from './invitee.js'

/** Whom a link of an invitation is for; `null` if it gives nothing, or has been accepted. */
export async function findInvitee(deps: SubjectDeps, id: string): Promise<Invitee | null> {
  const invitation = await deps.invitations.find(id)
  return invitation !== null && (await isUsable(deps, invitation)) ? inviteeOf(invitation) : null
}

/** Whom the newest invitation of an address is for; `null` if there is none. */
export async function findNewestInvitee(deps: SubjectDeps, emailKey: string): Promise<Invitee | null> {
  for (const invitation of await deps.invitations.listByEmail(emailKey))
    if (await isUsable(deps, invitation).catch(leaveOut)) return inviteeOf(invitation)
  return null
}

/** Whether an invitation is of this mount, can be accepted, and still gives what it says. */
export async function isUsable(deps: SubjectDeps, invitation: Invitation): Promise<boolean> {
  const target = targetFactsOf(deps, invitation)
  if (target === null && invitation.target !== targetOf(deps.options)) return false
  const state = await invitationState(deps, invitation)
  return canTakeEffect(state) && (target === null ? isGood(deps, invitation) : target.isGood(invitation))
}

/** What a feature invites to with it; `null` for an invitation to an account. */
export function targetFactsOf<Facts>(
  { options, invitationTargets }: Pick<Deps, 'options'> & { invitationTargets: ReadonlyMap<string, Facts> },
  invitation: Invitation,
): Facts | null {
  return invitationTargets.get(wordOf(invitation, options) ?? '') ?? null
}
