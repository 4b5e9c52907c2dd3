import type { Invitation, JsonValue, StoredUser } from 'fastify-accounts'
import { isKnownOwner } from 'fastify-accounts/features'
import { organizationIdOf } from './invitations/target.js'
import { everyMembership } from './organization/every-membership.js'
import type { OrganizationDeps } from './parts.js'

type ExportDeps = Pick<OrganizationDeps, 'organizations' | 'invitations' | 'options'>

/** The most of each kind that an export has, and how many invitations are read at once. */
const most = 2000
const perPage = 500

/**
 * What is kept of a person here: their memberships, the invitations to organizations that they have sent, without whom they invited,
 * and those to their address once it is known to be theirs. Nothing of other members.
 */
export async function exportMemberships(deps: ExportDeps, user: StoredUser): Promise<JsonValue> {
  const memberships = await membershipsOf(deps, user)
  const sent = await sentBy(deps, user)
  const received = await receivedBy(deps, user)
  const isNothing = memberships.length + sent.length + received.length === 0
  return isNothing ? null : { memberships, sent_invitations: sent, received_invitations: received }
}

async function membershipsOf(deps: ExportDeps, { id: userId }: StoredUser): Promise<JsonValue[]> {
  const found: JsonValue[] = []
  for await (const { organization, membership } of everyMembership(deps, userId)) {
    const { id, slug, name } = organization
    const { roles, since } = membership
    found.push({ organization: { id, slug, name }, roles: [...roles], since: since.toISOString() })
    if (found.length === most) break
  }
  return found
}

async function sentBy(
  { invitations, options }: ExportDeps,
  { id: inviterId }: StoredUser,
): Promise<JsonValue[]> {
  const found: JsonValue[] = []
  let last: Invitation | undefined
  // What was sent for other things counts as well: it is read.
  for (let read = 0; read < most; read += perPage) {
    const page = await invitations.list({ inviterId, limit: perPage, after: last })
    for (const each of page) {
      const organizationId = organizationIdOf(each, options)
      if (organizationId !== null)
        found.push({ id: each.id, organization_id: organizationId, ...datesOf(each) })
    }
    last = page.at(-1)
    if (page.length < perPage) break
  }
  return found
}

async function receivedBy(deps: ExportDeps, user: StoredUser): Promise<JsonValue[]> {
  if (user.emailKey === null || !isKnownOwner(user)) return []
  const found: JsonValue[] = []
  for (const each of await deps.invitations.listByEmail(user.emailKey)) {
    const id = organizationIdOf(each, deps.options)
    const organization = id === null ? null : await deps.organizations.find({ id })
    if (organization === null) continue
    const { roles } = each.gives as { roles: string[] }
    found.push({ organization: { id: organization.id, name: organization.name }, roles, ...datesOf(each) })
    if (found.length === most) break
  }
  return found
}

const datesOf = ({ createdAt, expiresAt }: Invitation) => ({
  invited_at: createdAt.toISOString(),
  expires_at: expiresAt.toISOString(),
})
