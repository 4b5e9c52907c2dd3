import { AccountsError, type Invitation } from 'fastify-accounts'
import {
  invalidInput,
  isExpired,
  mostOfAddress,
  newAddressFault,
  parseTypedEmail,
  storeInvitation,
} from 'fastify-accounts/features'
import { checkMemberRoles } from '../membership/check-member-roles.js'
import { type Actor, demand, demandCovers, findInside } from '../membership/inside.js'
import type { OrganizationDeps } from '../parts.js'
import type { Gives } from './roles-of.js'
import { stateOf } from './state-of.js'
import { organizationIdOf, targetOf } from './target.js'

/** Whom somebody invites, and what they get. */
export interface MemberInvitationInput {
  /** One plain address. */
  email: string
  /** At least one. */
  roles: readonly string[]
}

/**
 * How many open invitations an inviter can have at one address. The bound of the address is for all inviters: to fill it, so nobody
 * else can invite the address, takes 34 accounts with proven addresses.
 */
const mostOfInviterAtAddress = 3

/** How many pages of an organization's invitations are read for one: the work is bounded even if expired ones aren't removed. */
const mostPages = 10

/**
 * Invites an address to an organization, whether or not it has an account, or one that is a member: the work is the same. A second
 * invitation by the same inviter replaces the first one and ends its link; nobody else's changes.
 * @param organizationName an id or a slug
 * @throws AccountsError ACCOUNTS_NOT_FOUND, ACCOUNTS_FORBIDDEN, ACCOUNTS_INVALID_INPUT; ACCOUNTS_THROTTLED if the actor invites too
 * often, or has emailed the address too often; ACCOUNTS_CONFLICT: `too_many_invitations`, `being_accepted`, `changed_meanwhile`
 */
export async function inviteMember(
  deps: OrganizationDeps,
  actor: Actor,
  organizationName: string,
  { email, roles }: MemberInvitationInput,
): Promise<Invitation> {
  const inside = await findInside(deps, actor, organizationName)
  demand(inside, 'members:invite')
  checkMemberRoles(deps, roles)
  demandCovers(deps, inside, roles)
  // Who may not invite spends none.
  if (actor !== 'host') await deps.throttle.spend('inviteMember', actor.id)
  // The app's own code calls this as well, and not all of it is typed.
  const address = typeof email === 'string' ? parseTypedEmail(email) : null
  const fault = newAddressFault(address, deps.options)
  if (address === null || fault !== null) throw invalidInput(...(fault === null ? [] : [fault]))
  const gives: Gives = { roles: [...roles] }
  const target = targetOf(deps.options, inside.organization)
  const inviterId = actor === 'host' ? null : actor.id
  return storeInvitation(
    deps,
    { target, inviterId, ...address, gives },
    {
      lifetime: deps.links.lifetimeOf('invitation'),
      stateOf,
      checkRoom: (ofAddress) => checkRoom(deps, target, inviterId, ofAddress),
    },
  )
}

/** @throws AccountsError ACCOUNTS_CONFLICT */
async function checkRoom(
  { invitations, options, settings }: Pick<OrganizationDeps, 'invitations' | 'options' | 'settings'>,
  target: string,
  inviterId: string | null,
  ofAddress: readonly Invitation[],
): Promise<void> {
  const open = ofAddress.filter((each) => organizationIdOf(each, options) !== null && !isExpired(each))
  const own = inviterId === null ? [] : open.filter((each) => each.inviterId === inviterId)
  if (
    open.length >= mostOfAddress ||
    own.length >= mostOfInviterAtAddress ||
    (await isFull(invitations, target, settings.limits.invitations))
  )
    throw new AccountsError('ACCOUNTS_CONFLICT', { reason: 'too_many_invitations' })
}

/**
 * Whether so many invitations to an organization are open. Expired ones don't count. Those whose inviter has left do, until they
 * expire or somebody withdraws them: to tell takes several lookups for each.
 * @param most from 1
 */
async function isFull(
  invitations: Pick<OrganizationDeps['invitations'], 'list'>,
  target: string,
  most: number,
): Promise<boolean> {
  let open = 0
  let after: Invitation | undefined
  for (let page = 1; page <= mostPages; page += 1) {
    const found = await invitations.list({ target, limit: most, after })
    open += found.filter((each) => !isExpired(each)).length
    if (open >= most) return true
    if (found.length < most) return false
    after = found.at(-1)
  }
  return true
}
