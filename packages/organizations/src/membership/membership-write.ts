import { AccountsError } from 'fastify-accounts'
import { isOwner } from '../roles.js'
import type { Membership, Organization, OrganizationWrite } from '../store/organization-store.js'

/** How a membership changes; `null` where there is none. At least one of both is there. */
export interface MembershipChange {
  before: Membership | null
  after: Membership | null
}

/**
 * What writes the change of a membership, with the numbers of members and owners that follow from it. The only place that counts.
 * @param organization as it was read with `before`
 * @throws AccountsError ACCOUNTS_CONFLICT: `last_owner` if no owner would be left
 */
export function membershipWrite(
  organization: Pick<Organization, 'members' | 'owners'>,
  { before, after }: MembershipChange,
): Pick<OrganizationWrite, 'changes' | 'put' | 'remove'> {
  const count = (membership: Membership | null) => (membership === null ? 0 : 1)
  const countOwner = (membership: Membership | null) => (membership !== null && isOwner(membership) ? 1 : 0)
  const members = organization.members + count(after) - count(before)
  const owners = organization.owners + countOwner(after) - countOwner(before)
  if (owners < 1 && owners < organization.owners)
    throw new AccountsError('ACCOUNTS_CONFLICT', { reason: 'last_owner' })
  return {
    changes: { members, owners },
    ...(after !== null && { put: [after] }),
    ...(after === null && before !== null && { remove: [before.userId] }),
  }
}
