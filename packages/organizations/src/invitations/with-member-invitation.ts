import { AccountsError, type Invitation } from 'fastify-accounts'
import { checkOpen } from 'fastify-accounts/features'
import { type Actor, demand, demandCovers, findInside, type Inside } from '../membership/inside.js'
import type { OrganizationDeps } from '../parts.js'
import { gives } from '../roles.js'
import { rolesOf } from './roles-of.js'
import { stateOf } from './state-of.js'
import { targetOf } from './target.js'

/**
 * Works on an open invitation to an organization: who may invite there on one of their own, who may edit members on any, with roles
 * that they may give.
 * @throws AccountsError ACCOUNTS_NOT_FOUND, ACCOUNTS_FORBIDDEN; ACCOUNTS_CONFLICT: `being_accepted`, `already_accepted`
 */
export async function withMemberInvitation(
  deps: OrganizationDeps,
  actor: Actor,
  organizationName: string,
  id: string,
  work: (invitation: Invitation) => Promise<void>,
): Promise<void> {
  const inside = await findInside(deps, actor, organizationName)
  const seesAll = demandInvitations(inside)
  const invitation = await deps.invitations.find(id)
  const isOwn = actor !== 'host' && invitation?.inviterId === actor.id
  if (invitation?.target !== targetOf(deps.options, inside.organization) || !(isOwn || seesAll))
    throw new AccountsError('ACCOUNTS_NOT_FOUND')
  demandCovers(deps, inside, rolesOf(invitation, deps.settings))
  await checkOpen(deps, invitation, stateOf)
  await work(invitation)
}

/**
 * @returns whether all invitations of the organization are theirs to see; otherwise only their own
 * @throws AccountsError ACCOUNTS_FORBIDDEN
 */
export function demandInvitations(inside: Pick<Inside, 'permissions'>): boolean {
  const seesAll = gives(inside.permissions, 'members:edit')
  if (!seesAll) demand(inside, 'members:invite')
  return seesAll
}
