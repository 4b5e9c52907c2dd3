import type { Invitation } from 'fastify-accounts'
import type { OrganizationDeps } from '../parts.js'

/** Deletes an invitation as it was read. Its event is about its inviter, whoever ends it. */
export function deleteOpen(
  { invitations, events }: Pick<OrganizationDeps, 'invitations' | 'events'>,
  { id, inviterId, version }: Invitation,
): Promise<boolean> {
  const inviter = inviterId === null ? null : { id: inviterId }
  const told = events.about('invitation.withdrawn', inviter, { invitation_id: id })
  return invitations.delete(id, version, told)
}
