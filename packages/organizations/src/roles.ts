/** What the package lets members do inside an organization, as roles can give it. Everything else is the app's own. */
export const memberPermissions = [
  /** Change name, slug and own fields. */
  'org:edit',
  /** Delete the organization. */
  'org:delete',
  /** Invite people, and see, send again and withdraw their own invitations. */
  'members:invite',
  /** Change the roles of members and remove them; see all invitations, and send again and withdraw those to roles that one may give. */
  'members:edit',
] as const

/** A permission of this package. */
export type MemberPermission = (typeof memberPermissions)[number]

/** Every permission inside an organization. Only the role `owner` has it. */
export const everyPermission = 'org:*'

/** Permissions by the name of the role that gives them, inside an organization. `owner` is `['org:*']`. */
export interface MemberRoles {
  readonly owner: readonly ['org:*']
  readonly [role: string]: readonly string[]
}

/**
 * What the app's compiler knows of its roles. Declare yours once:
 *
 * ```ts
 * declare module '@fastify-accounts/organizations' {
 *   interface Register { roles: typeof roles }
 * }
 * ```
 */
// biome-ignore lint/suspicious/noEmptyInterface: apps declare theirs in it
export interface Register {}

type Registered = Register extends { roles: infer Given } ? Given : MemberRoles

/** The name of a role inside an organization. */
export type MemberRole = Extract<keyof Registered, string>

/** What can be asked for inside an organization: the app's own permissions, and this package's. */
export type PermissionInside =
  | MemberPermission
  | Exclude<Extract<Registered[keyof Registered], readonly string[]>[number], 'org:*'>

/** The permissions that roles give; those that the option doesn't name give none. */
export function permissionsOf(roles: readonly string[], definitions: MemberRoles): ReadonlySet<string> {
  return new Set(roles.flatMap((role) => (Object.hasOwn(definitions, role) ? (definitions[role] ?? []) : [])))
}

/** Whether these permissions include that one. */
export const gives = (permissions: ReadonlySet<string>, permission: string): boolean =>
  permissions.has(permission) || permissions.has(everyPermission)

/** Whether these permissions include all of those. */
export const covers = (permissions: ReadonlySet<string>, others: ReadonlySet<string>): boolean =>
  [...others].every((each) => gives(permissions, each))

/** Whether roles make an owner. */
export const isOwner = ({ roles }: { readonly roles: readonly string[] }): boolean => roles.includes('owner')
