import type { OwnInvitation } from './list-own-invitations.js'

/** An invitation in the list of the invited person. Times are RFC 3339 in UTC. */
export function shownOwnInvitation({ invitation, organization, roles, inviter }: OwnInvitation): {
  id: string
  organization: { id: string; name: string }
  roles: string[]
  invited_by: string | null
  invited_at: string
  expires_at: string
} {
  const { id, createdAt, expiresAt } = invitation
  return {
    id,
    organization,
    roles: [...roles],
    invited_by: inviter,
    invited_at: createdAt.toISOString(),
    expires_at: expiresAt.toISOString(),
  }
}
