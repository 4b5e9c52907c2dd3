import type { Invitation } from '../../../seams/invitation-store.js'
import { nobody, type StoredUser } from '../../../user.js'

/**
 * Stands in for a user where emails and links take one: the person at the address, who may have no account. It has no id,
 * and nobody can log in to it.
 */
export interface Invitee extends StoredUser {
  readonly invitation: Invitation
}

export function inviteeOf(invitation: Invitation): Invitee {
  const { email, emailKey, createdAt } = invitation
  return {
    ...nobody,
    email,
    emailKey,
    createdAt,
    isActive: true,
    credentials: [],
    identityKeys: [],
    notes: {},
    invitation,
  }
}

/** The invitation of a link, or of an email. */
export const invitationOf = (user: object): Invitation => (user as Invitee).invitation
