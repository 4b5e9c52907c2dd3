import { AccountsError, type Invitation, type StoredUser } from 'fastify-accounts'
import { isExpired } from 'fastify-accounts/features'
import { changeInside, type Decision } from '../membership/change-inside.js'
import { checkMayBelong } from '../membership/check-may-belong.js'
import { checkRoomFor } from '../membership/check-room-for.js'
import { findMembership } from '../membership/find-member.js'
import { currentActor, findInside, type Inside } from '../membership/inside.js'
import { membershipWrite } from '../membership/membership-write.js'
import { removeGone } from '../membership/remove-gone.js'
import type { OwnOrganization } from '../organization/list-own-organizations.js'
import type { OrganizationDeps } from '../parts.js'
import { covers, permissionsOf } from '../roles.js'
import type { Membership } from '../store/organization-store.js'
import { isGood } from './is-good.js'
import { rolesOf } from './roles-of.js'
import { organizationIdOf } from './target.js'

/**
 * Makes a user a member, or gives a member what the invitation has beyond what they have.
 *
 * Invitations and organizations may be in two stores, hence the order: the invitation is `accepting` until just after the write can
 * take effect; the write notes it in the membership; then the invitation goes. If the process dies in between, that note says what
 * has become of it, and it gives nothing a second time. If the write is refused, the invitation is open again.
 * @param user whose address is that of the invitation
 * @throws AccountsError ACCOUNTS_NOT_FOUND if it gives nothing anymore; ACCOUNTS_NOT_VERIFIED; ACCOUNTS_FORBIDDEN if the user has been
 * disabled or logged out; ACCOUNTS_CONFLICT: `organization_full`, `too_many_organizations`, `being_accepted`, `changed_meanwhile`
 */
export async function acceptInvitation(
  deps: OrganizationDeps,
  invitation: Invitation,
  user: StoredUser,
): Promise<OwnOrganization> {
  const { invitations } = deps
  const { adapterTimeout } = deps.options
  const organizationId = organizationIdOf(invitation, deps.options)
  if (organizationId === null) throw new AccountsError('ACCOUNTS_NOT_FOUND')
  // Nothing is claimed for what is refused anyway: nobody could withdraw it meanwhile.
  await check(deps, invitation, user, await findInside(deps, 'host', organizationId))
  const begun = performance.now()
  const claimed = await claim(deps, invitation, 3 * adapterTimeout)
  if (claimed === null) return acceptedElsewhere(deps, invitation, user, organizationId)
  let hasBegun = false as boolean
  // A write takes a timeout at most.
  const assertInTime = (): void => {
    if (performance.now() - begun > adapterTimeout) throw new AccountsError('ACCOUNTS_UNAVAILABLE')
    hasBegun = true
  }
  let accepted: OwnOrganization
  try {
    accepted = await changeInside(deps, 'host', organizationId, async (inside) => {
      const decision = await decide(deps, claimed, user, inside)
      if (decision.write !== null) assertInTime()
      return decision
    })
  } catch (error) {
    // An unavailable store may have written it all the same.
    const isRefused = !(error instanceof AccountsError && error.code === 'ACCOUNTS_UNAVAILABLE')
    if (isRefused || !hasBegun) await release(deps, claimed, invitation.acceptingUntil)
    throw error
  }
  await removeGone(deps, accepted.membership)
  // The outage is logged, and the note says that it was accepted.
  await invitations.delete(invitation.id).catch(() => {})
  return accepted
}

/** @param lasts milliseconds */
async function claim(
  { invitations }: Pick<OrganizationDeps, 'invitations'>,
  invitation: Invitation,
  lasts: number,
): Promise<Invitation | null> {
  const acceptingUntil = new Date((await invitations.time()) + lasts)
  if (isExpired(invitation)) throw new AccountsError('ACCOUNTS_NOT_FOUND')
  return invitations.update(invitation.id, { acceptingUntil }, invitation.version)
}

/**
 * It is open again, or as another acceptance left it. If that fails, it is open once its time is over. The outage is logged.
 */
async function release(
  { invitations }: Pick<OrganizationDeps, 'invitations'>,
  { id, version }: Invitation,
  acceptingUntil: Date | null,
): Promise<void> {
  await invitations.update(id, { acceptingUntil }, version).catch(() => {})
}

/**
 * Somebody else has changed it: another request of the user may have been faster.
 * @throws AccountsError ACCOUNTS_NOT_FOUND, ACCOUNTS_CONFLICT
 */
async function acceptedElsewhere(
  { invitations, organizations }: Pick<OrganizationDeps, 'invitations' | 'organizations'>,
  { id }: Invitation,
  user: StoredUser,
  organizationId: string,
): Promise<OwnOrganization> {
  const isThere = (await invitations.find(id)) !== null
  const found = await organizations.findFor({ id: organizationId }, user.id)
  if (found !== null && found.membership?.invitationId === id)
    return { organization: found.organization, membership: found.membership }
  throw isThere
    ? new AccountsError('ACCOUNTS_CONFLICT', { reason: 'being_accepted' })
    : new AccountsError('ACCOUNTS_NOT_FOUND')
}

/** What somebody has in the organization, and what they get; `null` for what they have accepted already. */
type Checked =
  | { before: Membership; invitation: null }
  | { before: Membership | null; invitation: Invitation }

/**
 * All is read after the organization: what takes the invitation away is seen, or changes the organization before the write.
 * @throws AccountsError as `acceptInvitation`
 */
async function check(
  deps: OrganizationDeps,
  { id }: Invitation,
  user: StoredUser,
  inside: Inside,
): Promise<Checked> {
  const before = await findMembership(deps, inside, user.id)
  // An accepted one may still be stored.
  if (before?.invitationId === id) return { before, invitation: null }
  const invitation = await deps.invitations.find(id)
  if (invitation === null) throw new AccountsError('ACCOUNTS_NOT_FOUND')
  await checkRecipient(deps, invitation, user)
  if (!(await isGood(deps, invitation))) throw new AccountsError('ACCOUNTS_NOT_FOUND')
  if (before === null) await checkRoomFor(deps, inside, user.id)
  return { before, invitation }
}

async function decide(
  deps: OrganizationDeps,
  claimed: Invitation,
  user: StoredUser,
  inside: Inside,
): Promise<Decision<OwnOrganization>> {
  const { organization } = inside
  const { before, invitation } = await check(deps, claimed, user, inside)
  if (invitation === null) return { write: null, result: { organization, membership: before } }
  // Its note is replaced, so it must not be left.
  if (before !== null && before.invitationId !== null) await deps.invitations.delete(before.invitationId)
  const after = membershipAfter(deps, inside, user, before, invitation)
  return {
    write: membershipWrite(organization, { before, after }),
    messages: messagesAbout(deps, user, invitation, before, after),
    result: { organization, membership: after },
  }
}

/** @throws AccountsError ACCOUNTS_FORBIDDEN, ACCOUNTS_NOT_VERIFIED, ACCOUNTS_NOT_FOUND */
async function checkRecipient(
  deps: Pick<OrganizationDeps, 'users'>,
  { emailKey }: Invitation,
  user: StoredUser,
): Promise<void> {
  const current = (await currentActor(deps, user)) as StoredUser
  checkMayBelong(current)
  if (current.emailKey !== emailKey) throw new AccountsError('ACCOUNTS_NOT_FOUND')
}

function membershipAfter(
  { settings }: Pick<OrganizationDeps, 'settings'>,
  { organization }: Inside,
  { id: userId }: StoredUser,
  before: Membership | null,
  invitation: Invitation,
): Membership {
  const roles = rolesOf(invitation, settings)
  const base = before ?? { organizationId: organization.id, userId, roles: [], since: new Date() }
  const hasAll = covers(permissionsOf(base.roles, settings.roles), permissionsOf(roles, settings.roles))
  // Somebody who joins gets a role even if it permits nothing.
  const all = before !== null && hasAll ? base.roles : [...new Set([...base.roles, ...roles])]
  return { ...base, roles: all, invitationId: invitation.id }
}

function messagesAbout(
  { events }: Pick<OrganizationDeps, 'events'>,
  user: StoredUser,
  { id: invitation_id }: Invitation,
  before: Membership | null,
  { organizationId: organization_id, roles }: Membership,
): NonNullable<Decision<unknown>['messages']> {
  const added = roles.filter((role) => !before?.roles.includes(role))
  return [
    ...events.about('invitation.accepted', user, { invitation_id }),
    ...(before === null
      ? events.about('member.added', user, { organization_id, roles: [...roles] })
      : added.length > 0
        ? events.about('member.roles_changed', user, { organization_id, added, removed: [] })
        : []),
  ]
}
