import type { Invitation } from 'fastify-accounts'
import { type InvitationState, invitationState } from 'fastify-accounts/features'
import type { OrganizationDeps } from '../parts.js'
import { organizationIdOf } from './target.js'

export type StateDeps = Pick<OrganizationDeps, 'users' | 'invitations' | 'organizations' | 'options'>

/** What has become of an invitation. If an acceptance of it has begun and is over, the membership shows whether it took effect. */
export async function stateOf(deps: StateDeps, invitation: Invitation): Promise<InvitationState> {
  const state = await invitationState(deps, invitation)
  if (state !== 'open' || invitation.acceptingUntil === null) return state
  const id = organizationIdOf(invitation, deps.options)
  const owner = await deps.users.findByEmail(invitation.emailKey)
  const found = id === null || owner === null ? null : await deps.organizations.findFor({ id }, owner.id)
  return found?.membership?.invitationId === invitation.id ? 'accepted' : 'open'
}
