import type { Invitation } from 'fastify-accounts'
import type { OrganizationDeps } from '../parts.js'
import type { Organization } from '../store/organization-store.js'
import { targetOf } from './target.js'

/** How many invitations are read at once. */
const perPage = 100

/** Withdraws every invitation to an organization: before and after it is deleted. */
export async function withdrawAll(
  { invitations, events, options }: Pick<OrganizationDeps, 'invitations' | 'events' | 'options'>,
  organization: Pick<Organization, 'id'>,
): Promise<void> {
  const target = targetOf(options, organization)
  let last: Invitation | undefined
  do {
    const page = await invitations.list({ target, limit: perPage, after: last })
    for (const { id, inviterId } of page) {
      const inviter = inviterId === null ? null : { id: inviterId }
      await invitations.delete(
        id,
        undefined,
        events.about('invitation.withdrawn', inviter, { invitation_id: id }),
      )
    }
    last = page.at(-1)
  } while (last !== undefined)
}
