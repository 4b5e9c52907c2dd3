import { type Check, fail, isObject, shown } from './checks.js'

/**
 * What this plugin lets people do to other users, as roles can give it. Staff have all of them.
 *
 * - `users:read`: see users as they see themselves, list them by their state, search them by address
 * - `users:create`: create accounts for others
 * - `users:invite`: invite people, send invitations again and withdraw them
 * - `users:edit`: change address, username and own fields, vouch for the address, remove second factors
 * - `users:disable`: disable, enable and log out
 * - `users:delete`: delete
 * - `users:grant`: grant and revoke roles
 * - `users:services`: manage service accounts and their API keys
 */
export const userPermissions = [
  'users:read',
  'users:create',
  'users:invite',
  'users:edit',
  'users:disable',
  'users:delete',
  'users:grant',
  'users:services',
] as const

/** A permission of this plugin. */
export type UserPermission = (typeof userPermissions)[number]

/** Permissions by the name of the role that gives them. */
export type Roles = { readonly [role: string]: readonly string[] }

/** The same roles; a permission that begins with `users:` and isn't the plugin's doesn't compile. */
export type CheckedRoles<Given> = {
  readonly [Role in keyof Given]: readonly (
    | UserPermission
    | (Given[Role] extends readonly (infer Each)[] ? Exclude<Each, `users:${string}`> : never)
  )[]
}

/** The names of the roles, which errors show, and not `keyof`. */
export type RoleOf<Given> = Extract<{ readonly [Role in keyof Given]: Role }[keyof Given], string>

/** Every permission that can be asked for: those of the roles, and the plugin's own. */
export type PermissionOf<Given extends CheckedRoles<Given>> = Given[keyof Given][number] | UserPermission

/** All permissions there are. */
export const permissionNames = (roles: Roles = {}): string[] => [
  ...new Set([...userPermissions, ...Object.values(roles).flat()]),
]

/** Without what has a meaning in a list on a command line. */
const roleForm = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/
const permissionForm = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,63}$/
/** The most roles, and the most permissions of one. */
const most = 100

/** The option `roles`. */
export const rolesOption: Check<Roles> = (value, option) => {
  if (!isObject(value)) fail(option, `must be lists of permissions by role, got ${shown(value)}`)
  const names = Object.keys(value)
  if (names.length === 0 || names.length > most)
    fail(option, `must name 1 to ${most} roles, such as { support: ['users:read'] }`)
  const roles = names.map((name) => {
    if (!roleForm.test(name))
      fail(option, `has a role that isn't letters, digits and . _ -, at most 64: ${shown(name)}`)
    return [name, permissionsIn(value[name], `${option}.${name}`)]
  })
  return Object.freeze(Object.fromEntries(roles))
}

function permissionsIn(value: unknown, option: string): readonly string[] {
  if (!Array.isArray(value) || value.length > most)
    fail(option, `must be a list of at most ${most} permissions, got ${shown(value)}`)
  for (const [at, each] of value.entries()) {
    if (typeof each !== 'string' || !permissionForm.test(each))
      fail(option, `permissions are letters, digits and . _ : -, at most 64, got ${shown(each)}`)
    if (each.startsWith('users:') && !userPermissions.some((own) => own === each))
      fail(option, `has an unknown permission: ${each}; ours are ${userPermissions.join(', ')}`)
    if (value.indexOf(each) !== at) fail(option, `has ${each} twice`)
  }
  return Object.freeze([...value])
}
