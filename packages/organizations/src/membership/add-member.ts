import { AccountsError } from 'fastify-accounts'
import { fieldError, findAccount, invalidInput } from 'fastify-accounts/features'
import type { OrganizationDeps } from '../parts.js'
import type { Membership } from '../store/organization-store.js'
import { changeInside } from './change-inside.js'
import { checkMayBelong } from './check-may-belong.js'
import { checkMemberRoles } from './check-member-roles.js'
import { checkRoomFor } from './check-room-for.js'
import { findMembership } from './find-member.js'
import type { Actor, Inside } from './inside.js'
import { membershipWrite } from './membership-write.js'
import { removeGone } from './remove-gone.js'

/**
 * Adds somebody without an invitation: for those with `orgs:manage` of the mount, and the app's own code. Members invite.
 * @param organizationName an id or a slug
 * @param userId of a person whose address is known to be theirs, or a service account
 * @throws AccountsError ACCOUNTS_NOT_FOUND, ACCOUNTS_FORBIDDEN, ACCOUNTS_INVALID_INPUT; ACCOUNTS_NOT_VERIFIED if the address of
 * the account isn't proven; ACCOUNTS_CONFLICT: `already_member`, `organization_full`, `too_many_organizations`, `changed_meanwhile`
 */
export async function addMember(
  deps: OrganizationDeps,
  actor: Actor,
  organizationName: string,
  userId: string,
  roles: readonly string[],
): Promise<Membership> {
  const added = await changeInside(deps, actor, organizationName, async (inside) => {
    if (!inside.manages) throw new AccountsError('ACCOUNTS_FORBIDDEN', { reason: 'missing_permission' })
    checkMemberRoles(deps, roles)
    await checkMayJoin(deps, inside, userId)
    const { organization } = inside
    const after: Membership = {
      organizationId: organization.id,
      userId,
      roles: [...roles],
      since: new Date(),
      invitationId: null,
    }
    return {
      write: membershipWrite(organization, { before: null, after }),
      messages: deps.events.about(
        'member.added',
        { id: userId },
        { organization_id: organization.id, roles: [...roles] },
      ),
      result: after,
    }
  })
  await removeGone(deps, added)
  return added
}

async function checkMayJoin(deps: OrganizationDeps, inside: Inside, userId: string): Promise<void> {
  const account = await findAccount(deps, userId)
  if (account === null) throw invalidInput(fieldError('user_id', 'invalid'))
  checkMayBelong(account)
  if ((await findMembership(deps, inside, userId)) !== null)
    throw new AccountsError('ACCOUNTS_CONFLICT', { reason: 'already_member' })
  await checkRoomFor(deps, inside, userId)
}
