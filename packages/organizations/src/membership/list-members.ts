import type { StoredUser } from 'fastify-accounts'
import type { ListPosition } from 'fastify-accounts/features'
import { type Page, pageOf, perPage } from '../page.js'
import type { OrganizationDeps } from '../parts.js'
import type { Membership } from '../store/organization-store.js'
import { type Actor, findInside } from './inside.js'

/** A member with their account; `null` if that was deleted at this moment. */
export interface Member {
  membership: Membership
  user: StoredUser | null
}

/** How many accounts are read at once, so a list doesn't take all connections to the database. */
const together = 10

/**
 * One page of the members of an organization, the oldest first: to members, and to those who may see every organization.
 * @param organizationName an id or a slug
 * @throws AccountsError ACCOUNTS_NOT_FOUND, ACCOUNTS_THROTTLED
 */
export async function listMembers(
  deps: OrganizationDeps,
  actor: Actor,
  organizationName: string,
  after: ListPosition | undefined,
): Promise<Page<Member>> {
  const { organization } = await findInside(deps, actor, organizationName)
  if (actor !== 'host') await deps.throttle.spend('listUsers', actor.id)
  const found = await deps.organizations.listMembers(organization.id, {
    limit: perPage + 1,
    after: after && { since: after.createdAt, userId: after.id },
  })
  const { results, next } = pageOf(found, ({ since, userId }) => ({ createdAt: since, id: userId }))
  return { results: await withUsers(deps, results), next }
}

/** The account of one membership. */
export async function memberOf(
  { users }: Pick<OrganizationDeps, 'users'>,
  membership: Membership,
): Promise<Member> {
  return { membership, user: await users.findById(membership.userId) }
}

async function withUsers(
  deps: Pick<OrganizationDeps, 'users'>,
  memberships: readonly Membership[],
): Promise<Member[]> {
  const members: Member[] = []
  for (let at = 0; at < memberships.length; at += together) {
    const portion = memberships.slice(at, at + together)
    members.push(...(await Promise.all(portion.map((each) => memberOf(deps, each)))))
  }
  return members
}
