import { AccountsError, type Invitation, type StoredUser } from 'fastify-accounts'
import { checkMayBelong } from '../membership/check-may-belong.js'
import type { OrganizationDeps } from '../parts.js'
import { organizationIdOf } from './target.js'

/**
 * An invitation of a user's own address to an organization.
 * @throws AccountsError ACCOUNTS_NOT_FOUND; ACCOUNTS_NOT_VERIFIED if their address isn't proven
 */
export async function findOwnInvitation(
  { invitations, options }: Pick<OrganizationDeps, 'invitations' | 'options'>,
  user: StoredUser,
  id: string,
): Promise<Invitation> {
  checkMayBelong(user)
  const invitation = await invitations.find(id)
  if (
    invitation === null ||
    invitation.emailKey !== user.emailKey ||
    organizationIdOf(invitation, options) === null
  )
    throw new AccountsError('ACCOUNTS_NOT_FOUND')
  return invitation
}
