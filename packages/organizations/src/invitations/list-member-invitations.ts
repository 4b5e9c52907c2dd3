import type { Invitation } from 'fastify-accounts'
import { canTakeEffect, type ListPosition } from 'fastify-accounts/features'
import { type Actor, findInside } from '../membership/inside.js'
import { type Page, pageOf, perPage } from '../page.js'
import type { OrganizationDeps } from '../parts.js'
import { stateOf } from './state-of.js'
import { targetOf } from './target.js'
import { demandInvitations } from './with-member-invitation.js'

/**
 * One page of the open invitations to an organization, the oldest first: an actor's own; for those who may edit members, all.
 * @param organizationName an id or a slug
 * @throws AccountsError ACCOUNTS_NOT_FOUND, ACCOUNTS_FORBIDDEN, ACCOUNTS_THROTTLED
 */
export async function listMemberInvitations(
  deps: OrganizationDeps,
  actor: Actor,
  organizationName: string,
  after: ListPosition | undefined,
): Promise<Page<Invitation>> {
  const inside = await findInside(deps, actor, organizationName)
  const seesAll = demandInvitations(inside)
  if (actor !== 'host') await deps.throttle.spend('listUsers', actor.id)
  const found = await deps.invitations.list({
    target: targetOf(deps.options, inside.organization),
    ...(actor !== 'host' && !seesAll && { inviterId: actor.id }),
    limit: perPage + 1,
    after,
  })
  const page = pageOf(found, (invitation) => invitation)
  const open: Invitation[] = []
  for (const each of page.results) if (canTakeEffect(await stateOf(deps, each))) open.push(each)
  return { ...page, results: open }
}
