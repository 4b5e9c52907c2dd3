import type { Invitation } from 'fastify-accounts'
import type { OrganizationDeps } from '../parts.js'

/**
 * Ends an invitation. Its event is about its inviter, also if somebody else ends it.
 * @param version only if it has this one. Default: whatever it is by now
 * @returns whether it was there
 */
export function withdraw(
  { invitations, events }: Pick<OrganizationDeps, 'invitations' | 'events'>,
  { id, inviterId }: Pick<Invitation, 'id' | 'inviterId'>,
  version?: number,
): Promise<boolean> {
  const inviter = inviterId === null ? null : { id: inviterId }
  return invitations.delete(id, version, events.about('invitation.withdrawn', inviter, { invitation_id: id }))
}
