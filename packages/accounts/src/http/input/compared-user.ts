import { unknownRoles, type WithRoles } from '../../options/privileges.js'
import type { Resource } from './changes-in.js'

/**
 * What a body that repeats a user is compared with. Roles that the option no longer names stay, whether or not the list has
 * them.
 */
export function comparedUser(
  options: WithRoles,
): Pick<Resource<unknown, unknown>, 'isCompared' | 'compared'> {
  return {
    isCompared: ({ roles }) => isTexts(roles) && unknownRoles(roles, options).length > 0,
    compared(body, shown) {
      const kept = unknownRoles((shown.roles ?? []) as string[], options)
      const withNamed = (user: typeof body): typeof body => {
        const { roles } = user
        return isTexts(roles) ? { ...user, roles: roles.filter((role) => !kept.includes(role)) } : user
      }
      return [withNamed(body), withNamed(shown)]
    },
  }
}

/** What else the list has is for the schema to reject: none of it is a name. */
const isTexts = (list: unknown): list is string[] =>
  Array.isArray(list) && list.every((each) => typeof each === 'string')
