import { AccountsError } from 'fastify-accounts'
import type { OrganizationDeps } from '../parts.js'
import type { Membership } from '../store/organization-store.js'
import type { Inside } from './inside.js'

/** The membership of a user; `null` if they have none. */
export async function findMembership(
  { organizations }: Pick<OrganizationDeps, 'organizations'>,
  { organization: { id } }: Inside,
  userId: string,
): Promise<Membership | null> {
  // From a path that anybody can write.
  if (userId === '' || userId.includes('\0') || !userId.isWellFormed()) return null
  const found = await organizations.findFor({ id }, userId)
  return found?.membership?.userId === userId ? found.membership : null
}

/** @throws AccountsError ACCOUNTS_NOT_FOUND */
export async function findMember(
  deps: Pick<OrganizationDeps, 'organizations'>,
  inside: Inside,
  userId: string,
): Promise<Membership> {
  const membership = await findMembership(deps, inside, userId)
  if (membership === null) throw new AccountsError('ACCOUNTS_NOT_FOUND')
  return membership
}
