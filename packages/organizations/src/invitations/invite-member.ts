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
  const { invitations: mostOfOrganization } = settings.limits
  const ofOrganization = await invitations.list({ target, limit: mostOfOrganization })
  if (
    open.length >= mostOfAddress ||
    own.length >= mostOfInviterAtAddress ||
    ofOrganization.length >= mostOfOrganization
  )
    throw new AccountsError('ACCOUNTS_CONFLICT', { reason: 'too_many_invitations' })
}
