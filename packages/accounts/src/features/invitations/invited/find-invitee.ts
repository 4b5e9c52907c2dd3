import { isGood } from '../../../users/invitations/check-may-invite.js'
import { findInvitations, invitationState } from '../../../users/invitations/find-invitations.js'
import type { SubjectDeps } from '../../feature.js'
import { type Invitee, inviteeOf } from './invitee.js'

/** Whom a link of an invitation is for; `null` if it gives nothing, or has been accepted. */
export async function findInvitee(deps: SubjectDeps, id: string): Promise<Invitee | null> {
  const invitation = await deps.invitations.find(id)
  if (invitation === null) return null
  const state = await invitationState(deps, invitation)
  const isOpen = state === 'open' || state === 'accepting'
  return isOpen && (await isGood(deps, invitation)) ? inviteeOf(invitation) : null
}

/** Whom the newest invitation of an address is for; `null` if there is none. */
export async function findNewestInvitee(deps: SubjectDeps, emailKey: string): Promise<Invitee | null> {
  for await (const newest of findInvitations(deps, emailKey)) return inviteeOf(newest)
  return null
}
