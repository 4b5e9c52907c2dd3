import type { StoredUser } from 'fastify-accounts'
import type { OrganizationDeps } from '../parts.js'
import type { Membership, Organization } from '../store/organization-store.js'
import { targetOf } from './target.js'
import { withdraw } from './withdraw.js'

/**
 * Withdraws what could bring somebody back into an organization, or give what is taken: what is left of the invitation they
 * accepted last, and the open ones to their address. Called before their membership changes: an acceptance that has begun looks for
 * its invitation once it has read the organization, so it finds none, or its write comes too late.
 */
export async function withdrawFor(
  deps: Pick<OrganizationDeps, 'invitations' | 'events' | 'options'>,
  organization: Pick<Organization, 'id'>,
  { emailKey }: Pick<StoredUser, 'emailKey'>,
  { invitationId }: Pick<Membership, 'invitationId'>,
): Promise<void> {
  const { invitations } = deps
  if (invitationId !== null) await invitations.delete(invitationId)
  if (emailKey === null) return
  const target = targetOf(deps.options, organization)
  for (const each of await invitations.listByEmail(emailKey))
    if (each.target === target && each.id !== invitationId) await withdraw(deps, each)
}
