import type { Inside } from '../membership/inside.js'

/** An organization as somebody inside sees it. */
export function shownOrganization({
  organization,
  membership,
  permissions,
}: Omit<Inside, 'manages'>): object {
  const { id, slug, name, fields, createdAt, members } = organization
  return {
    id,
    slug,
    name,
    fields,
    created_at: createdAt.toISOString(),
    members,
    roles: membership === null ? [] : [...membership.roles],
    permissions: [...permissions],
  }
}

/** An organization in the list of all. */
export function shownListedOrganization({
  id,
  slug,
  name,
  fields,
  createdAt,
  members,
}: Inside['organization']): object {
  return { id, slug, name, fields, created_at: createdAt.toISOString(), members }
}
