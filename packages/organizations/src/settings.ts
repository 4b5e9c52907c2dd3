import type { AccountUser, AnyRequest, FieldError, FieldsSchema } from 'fastify-accounts'
import { compileFields } from 'fastify-accounts/features'
import { everyPermission, type MemberRoles, memberPermissions } from './roles.js'
import type { OrganizationStore } from './store/organization-store.js'

/** Options of `organizations()`. */
export interface OrganizationsOptions<Given extends MemberRoles = MemberRoles> {
  /**
   * Roles inside an organization, by name, with what they permit: permissions of your own, and `org:edit`, `org:delete`,
   * `members:invite`, `members:edit`. `owner` is there, with `['org:*']` alone, which is every permission; no other role has it.
   * Default `{ owner: ['org:*'], admin: ['org:edit', 'members:invite', 'members:edit'], member: [] }`.
   */
  roles?: Given | undefined
  /** Your own fields of an organization, as JSON Schema of an object. Members see them, and `org:edit` changes them. Default: none. */
  fields?: FieldsSchema | undefined
  /** Default: in memory, so a restart loses every organization; in production that stops the start. */
  store?: OrganizationStore | undefined
  /**
   * Which organization a request to a route of yours is about: an id or a slug; `null` if none, which is 404. Default: the path
   * parameter `organization`.
   */
  of?: ((request: AnyRequest) => string | null) | undefined
  /** Rules of yours. Each may return a promise. */
  authorize?:
    | {
        /** Who may create organizations, of those whose address is proven. Default: all of them. */
        createOrganization?: ((user: AccountUser) => boolean | Promise<boolean>) | undefined
      }
    | undefined
  /**
   * Whether the organizations of a user who is alone in them are deleted with their account. Default `true`. With `false`, deleting
   * the account is refused as long as there is one.
   */
  deleteWithLastMember?: boolean | undefined
  /** Bounds; requests at the same time may exceed those of a person and of invitations by a few. */
  limits?:
    | {
        /** Members of an organization: 1 to 100,000. Default 10,000. */
        members?: number | undefined
        /** Organizations of a person or program: 1 to 1,000. Default 100. */
        organizations?: number | undefined
        /** Open invitations of an organization: 1 to 1,000. Default 200. */
        invitations?: number | undefined
      }
    | undefined
}

/** The settings in effect. */
export interface Settings {
  roles: MemberRoles
  fields: FieldsSchema | undefined
  /** What is wrong with own fields; none if nothing. */
  checkFields(value: unknown): FieldError[]
  of(request: AnyRequest): string | null
  createOrganization: ((user: AccountUser) => boolean | Promise<boolean>) | undefined
  deleteWithLastMember: boolean
  limits: { members: number; organizations: number; invitations: number }
}

const roleForm = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/
const permissionForm = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,63}$/
/** The most roles, and the most permissions of one. */
const most = 100

const defaultRoles: MemberRoles = {
  owner: [everyPermission],
  admin: ['org:edit', 'members:invite', 'members:edit'],
  member: [],
}

/** What each limit may be, and is by default. */
const bounds = {
  members: { most: 100_000, usual: 10_000 },
  organizations: { most: 1000, usual: 100 },
  invitations: { most: 1000, usual: 200 },
} as const

const optionNames = [
  'roles',
  'fields',
  'store',
  'of',
  'authorize',
  'deleteWithLastMember',
  'limits',
] as const satisfies readonly (keyof OrganizationsOptions)[]

/** @throws Error with one line that names the option */
export function resolveSettings(options: OrganizationsOptions): Settings {
  if (!isObject(options)) fail('options', 'must be an object')
  checkNames('', options, optionNames)
  const {
    roles = defaultRoles,
    fields,
    of = byParameter,
    authorize = {},
    deleteWithLastMember = true,
  } = options
  checkRoles(roles)
  if (typeof of !== 'function') fail('of', 'must be a function')
  if (!isObject(authorize)) fail('authorize', 'must be an object of functions')
  checkNames('authorize.', authorize, ['createOrganization'])
  const { createOrganization } = authorize
  if (createOrganization !== undefined && typeof createOrganization !== 'function')
    fail('authorize.createOrganization', 'must be a function')
  if (typeof deleteWithLastMember !== 'boolean') fail('deleteWithLastMember', 'must be true or false')
  return {
    roles,
    fields,
    checkFields: fieldsCheck(fields),
    of,
    createOrganization,
    deleteWithLastMember,
    limits: limitsOf(options.limits),
  }
}

/** The default of `of`. */
export const byParameter = ({ params }: AnyRequest): string | null => {
  const { organization = null } = (params ?? {}) as { organization?: string }
  return organization
}

function fieldsCheck(fields: FieldsSchema | undefined): Settings['checkFields'] {
  try {
    return compileFields(fields)
  } catch (error) {
    return fail('fields', `is not JSON Schema: ${(error as Error).message}`)
  }
}

function checkRoles(roles: MemberRoles): void {
  if (!isObject(roles)) fail('roles', 'must be lists of permissions by role')
  const names = Object.keys(roles)
  if (names.length > most) fail('roles', `must be at most ${most}`)
  if (JSON.stringify(roles.owner) !== JSON.stringify([everyPermission]))
    fail('roles.owner', `must be ['${everyPermission}']`)
  for (const name of names) {
    const own = roles[name]
    if (!roleForm.test(name))
      fail('roles', `must have names of letters, digits and . _ -, at most 64, got ${name}`)
    if (!Array.isArray(own) || own.length > most)
      fail(`roles.${name}`, `must be a list of at most ${most} permissions`)
    for (const each of name === 'owner' ? [] : own) checkPermission(`roles.${name}`, each)
  }
}

function checkPermission(option: string, permission: unknown): void {
  if (typeof permission !== 'string' || !permissionForm.test(permission))
    fail(
      option,
      `must have permissions of letters, digits and . _ : -, at most 64, got ${String(permission)}`,
    )
  const isOurs = memberPermissions.some((own) => own === permission)
  if (/^(org|members):/.test(permission) && !isOurs)
    fail(option, `has an unknown permission: ${permission}; ours are ${memberPermissions.join(', ')}`)
}

function limitsOf(limits: OrganizationsOptions['limits'] = {}): Settings['limits'] {
  if (!isObject(limits)) fail('limits', 'must be an object of numbers')
  checkNames('limits.', limits, Object.keys(bounds))
  const limit = (name: keyof typeof bounds): number => {
    const { most: highest, usual } = bounds[name]
    const value = limits[name] ?? usual
    if (!Number.isInteger(value) || value < 1 || value > highest)
      fail(`limits.${name}`, `must be a whole number from 1 to ${highest}, got ${String(value)}`)
    return value
  }
  return {
    members: limit('members'),
    organizations: limit('organizations'),
    invitations: limit('invitations'),
  }
}

function checkNames(of: string, value: object, names: readonly string[]): void {
  const strange = Object.keys(value).find((name) => !names.includes(name))
  if (strange !== undefined) fail(`${of}${strange}`, `does not exist; the options are: ${names.join(', ')}`)
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/** Stops the start with one line that names the option. */
export function fail(option: string, expectation: string): never {
  throw new Error(`@fastify-accounts/organizations: ${option} ${expectation}`)
}
