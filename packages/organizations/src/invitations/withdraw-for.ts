import type { StoredUser } from 'fastify-accounts'
import type { OrganizationDeps } from '../parts.js'
import type { Membership, Organization } from '../store/organization-store.js'
import { targetOf } from './target.js'

/**
 * Withdraws what could bring somebody back into an organization, or give them their roles again: what is left of the invitation they
 * accepted last, and the open ones to their address. Called before their membership or roles go: an acceptance that has begun looks
 * for its invitation once it has read the organization, so it finds none, or its write comes too late.
 * @param membership `null` if they have none
 */
export async function withdrawFor(
  { invitations, events, options }: Pick<OrganizationDeps, 'invitations' | 'events' | 'options'>,
  organization: Pick<Organization, 'id'>,
  { emailKey }: Pick<StoredUser, 'emailKey'>,
  membership: Pick<Membership, 'invitationId'> | null,
): Promise<void> {
  const accepted = membership?.invitationId ?? null
  if (accepted !== null) await invitations.delete(accepted)
  if (emailKey === null) return
  const target = targetOf(options, organization)
  for (const each of await invitations.listByEmail(emailKey)) {
    if (each.target !== target || each.id === accepted) continue
    const inviter = each.inviterId === null ? null : { id: each.inviterId }
    const told = events.about('invitation.withdrawn', inviter, { invitation_id: each.id })
    await invitations.delete(each.id, undefined, told)
  }
}
