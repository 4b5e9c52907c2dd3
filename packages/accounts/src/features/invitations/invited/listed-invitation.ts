import type { Deps } from '../../../deps.js'
import type { Invitation } from '../../../seams/invitation-store.js'
import type { UserFields } from '../../../user.js'
import { giftOf } from '../../../users/invitations/invitation.js'

/** An invitation as its inviter sees it. Times are RFC 3339 in UTC. */
export function listedInvitation(
  invitation: Invitation,
  { roles: allRoles }: Pick<Deps['options'], 'roles'>,
): {
  id: string
  email: string
  fields: UserFields
  roles?: string[]
  invited_at: string
  expires_at: string
} {
  const { id, email, createdAt, expiresAt } = invitation
  const { fields, roles } = giftOf(invitation)
  return {
    id,
    email,
    fields,
    ...(allRoles !== undefined && { roles: [...roles] }),
    invited_at: createdAt.toISOString(),
    expires_at: expiresAt.toISOString(),
  }
}
