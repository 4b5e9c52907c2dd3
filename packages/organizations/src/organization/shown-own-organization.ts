import { type MemberRoles, permissionsOf } from '../roles.js'
import type { OwnOrganization } from './list-own-organizations.js'

/** An organization in the list of those that somebody belongs to. */
export function shownOwnOrganization(
  { organization: { id, slug, name }, membership: { roles, since } }: OwnOrganization,
  definitions: MemberRoles,
): object {
  return {
    id,
    slug,
    name,
    roles: [...roles],
    permissions: [...permissionsOf(roles, definitions)],
    since: since.toISOString(),
  }
}
