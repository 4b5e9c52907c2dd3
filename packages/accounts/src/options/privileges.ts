import { isDeepStrictEqual } from 'node:util'
import type { AccountUser } from '../user.js'
import { type Roles, userPermissions } from './roles.js'

/*
 * What users may do to others, by the staff flag and by their roles. Roles that the option doesn't name give nothing.
 * Every rule that protects privileged users asks here.
 */

/** The part of a user that decides. */
export type RightsHolder = Pick<AccountUser, 'isStaff' | 'roles'>

/** The option `roles`. */
export interface WithRoles {
  readonly roles?: Roles | undefined
}

/** Whether the user has the permission: by a role, or as staff if it is one of ours. A disabled user has none. */
export function can(
  user: Pick<AccountUser, 'isActive' | 'isStaff' | 'roles'>,
  permission: string,
  options: WithRoles,
): boolean {
  return user.isActive && holds(user, permission, options)
}

/** Whether rules that protect staff protect this user: staff, and everyone with a permission of ours. */
export function isPrivileged(user: RightsHolder, options: WithRoles): boolean {
  return user.isStaff || userPermissions.some((each) => holds(user, each, options))
}

/** Whether one may do something that the other may not. Nobody exceeds staff, and only they reach staff. */
export function exceeds(one: RightsHolder, other: RightsHolder, options: WithRoles): boolean {
  if (other.isStaff) return false
  return one.isStaff || permissionsOf(one, options).some((each) => !holds(other, each, options))
}

/** Whether one is not on the other's level: staff are above all others, privileged users above ordinary ones. */
export function isBelow(one: RightsHolder, other: RightsHolder, options: WithRoles): boolean {
  if (other.isStaff) return !one.isStaff
  return !isPrivileged(one, options) && !exceeds(one, other, options)
}

/** Whether nobody has changed the rights of a user, so a decision about one record holds for the other. */
export function sameRights(one: RightsHolder, other: RightsHolder): boolean {
  return one.isStaff === other.isStaff && isDeepStrictEqual(one.roles, other.roles)
}

/** The roles after those that the option names were set. Others stay: the option may name them again. */
export function rolesAfter(
  current: readonly string[],
  roleNames: readonly string[],
  options: WithRoles,
): readonly string[] {
  return [...unknownRoles(current, options), ...roleNames]
}

/** The roles that the option doesn't name. */
export function unknownRoles(roles: readonly string[], { roles: definitions = {} }: WithRoles): string[] {
  return roles.filter((role) => !Object.hasOwn(definitions, role))
}

function holds(user: RightsHolder, permission: string, options: WithRoles): boolean {
  if (user.isStaff && userPermissions.some((own) => own === permission)) return true
  return permissionsOf(user, options).includes(permission)
}

function permissionsOf(
  { roles }: Pick<RightsHolder, 'roles'>,
  { roles: definitions = {} }: WithRoles,
): string[] {
  return roles.flatMap((role) => (Object.hasOwn(definitions, role) ? (definitions[role] ?? []) : []))
}
