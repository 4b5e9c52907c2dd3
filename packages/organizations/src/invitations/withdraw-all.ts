import type { Invitation } from 'fastify-accounts'
import type { OrganizationDeps } from '../parts.js'
import type { Organization } from '../store/organization-store.js'
import { targetOf } from './target.js'
import { withdraw } from './withdraw.js'

/** How many invitations are read at once. */
const perPage = 100

/** Withdraws every invitation to an organization: before and after it is deleted. */
export async function withdrawAll(
  deps: Pick<OrganizationDeps, 'invitations' | 'events' | 'options'>,
  organization: Pick<Organization, 'id'>,
): Promise<void> {
  const target = targetOf(deps.options, organization)
  let last: Invitation | undefined
  do {
    const page = await deps.invitations.list({ target, limit: perPage, after: last })
    for (const each of page) await withdraw(deps, each)
    last = page.at(-1)
  } while (last !== undefined)
}
