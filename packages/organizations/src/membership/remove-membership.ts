import { withdrawFor } from '../invitations/withdraw-for.js'
import type { OrganizationDeps } from '../parts.js'
import type { Membership } from '../store/organization-store.js'
import { changeInside } from './change-inside.js'
import { findMember } from './find-member.js'
import type { Actor, Inside } from './inside.js'
import { membershipWrite } from './membership-write.js'

/**
 * Removes a membership, and before it the invitations that would bring the member back.
 * @param check throws if the actor may not remove it
 * @throws AccountsError ACCOUNTS_NOT_FOUND; ACCOUNTS_CONFLICT: `last_owner`, `changed_meanwhile`
 */
export async function removeMembership(
  deps: OrganizationDeps,
  actor: Actor,
  organizationName: string,
  userId: string,
  check: (inside: Inside) => ((membership: Membership) => void) | null,
): Promise<void> {
  await changeInside(deps, actor, organizationName, async (inside) => {
    const checkMembership = check(inside)
    const before = await findMember(deps, inside, userId)
    checkMembership?.(before)
    const { organization } = inside
    // Refuses it, if it must, before an invitation goes.
    const write = membershipWrite(organization, { before, after: null })
    const user = await deps.users.findById(userId)
    await withdrawFor(deps, organization, user ?? { emailKey: null }, before)
    const messages = deps.events.about('member.removed', { id: userId }, { organization_id: organization.id })
    return { write, messages, result: undefined }
  })
}
