import type { Invitation } from 'fastify-accounts'
import type { Gives } from './roles-of.js'

/** An invitation in the list of an organization. Times are RFC 3339 in UTC. */
export function shownMemberInvitation(invitation: Invitation): object {
  const { id, email, gives, inviterId, createdAt, expiresAt } = invitation
  return {
    id,
    email,
    roles: (gives as Gives).roles,
    inviter_id: inviterId,
    invited_at: createdAt.toISOString(),
    expires_at: expiresAt.toISOString(),
  }
}
