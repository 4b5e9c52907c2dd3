import type { Roles } from '../../options/roles.js'
import type { FieldsSchema } from '../../user.js'

/** What a body has with the option `roles`. */
export type RolesBody = { roles?: string[] }

/** The schema of a list of roles; none without the option. */
export function rolesBody(
  roles: Roles | undefined,
  description = 'All roles that the user has from then on',
): FieldsSchema['properties'] {
  if (roles === undefined) return {}
  const list = {
    type: 'array',
    uniqueItems: true,
    items: { type: 'string', enum: Object.keys(roles) },
    description,
  }
  return { roles: list }
}
