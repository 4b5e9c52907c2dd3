import { AccountsError, type Invitation } from 'fastify-accounts'
import { findAccount } from 'fastify-accounts/features'
import { type Actor, demand, demandCovers, findInside } from '../membership/inside.js'
import type { OrganizationDeps } from '../parts.js'
import { rolesOf } from './roles-of.js'
import { organizationIdOf } from './target.js'

type GoodDeps = Pick<OrganizationDeps, 'users' | 'organizations' | 'settings' | 'options'>

/**
 * Whether an invitation still gives what it says: the organization is there, and who made it may still invite to these roles. What
 * the app's own code has made always does.
 */
export async function isGood(deps: GoodDeps, invitation: Invitation): Promise<boolean> {
  const organizationId = organizationIdOf(invitation, deps.options)
  const roles = rolesOf(invitation, deps.settings)
  if (organizationId === null || roles.length === 0) return false
  const inviter = await inviterOf(deps, invitation)
  if (inviter === null) return false
  try {
    const inside = await findInside(deps, inviter, organizationId)
    demand(inside, 'members:invite')
    demandCovers(deps, inside, roles)
    return true
  } catch (error) {
    if (error instanceof AccountsError && ['ACCOUNTS_NOT_FOUND', 'ACCOUNTS_FORBIDDEN'].includes(error.code))
      return false
    throw error
  }
}

/** `null` if they were disabled, or are gone. */
async function inviterOf(
  deps: Pick<OrganizationDeps, 'users'>,
  { inviterId }: Invitation,
): Promise<Actor | null> {
  if (inviterId === null) return 'host'
  const inviter = await findAccount(deps, inviterId)
  return inviter?.isActive ? inviter : null
}
