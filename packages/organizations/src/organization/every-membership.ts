import type { OrganizationDeps } from '../parts.js'
import { listOwnOrganizations, type OwnOrganization } from './list-own-organizations.js'

/** All organizations of a user or service account, read page by page; the limits bound how many there are. */
export async function* everyMembership(
  deps: Pick<OrganizationDeps, 'organizations'>,
  userId: string,
): AsyncGenerator<OwnOrganization> {
  let after: Awaited<ReturnType<typeof listOwnOrganizations>>['next'] | undefined
  while (after !== null) {
    const { results, next } = await listOwnOrganizations(deps, userId, after)
    yield* results
    after = next
  }
}
