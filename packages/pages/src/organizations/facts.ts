import type { AccountUser, FieldsSchema } from 'fastify-accounts'
import type { PageVisit } from 'fastify-accounts/features'
import type { Site } from '../site.js'

/** What `organizations()` tells pages. */
interface OrganizationFacts {
  /** The permissions of each role. */
  roles: Readonly<Record<string, readonly string[]>>
  /** Own fields of an organization. */
  fields: FieldsSchema | undefined
  /** Whether the app's rule lets somebody create an organization. */
  mayCreate(user: AccountUser): Promise<boolean>
}

/** All of it, as these pages are there only with that feature. */
export const factsOf = (site: Site): OrganizationFacts =>
  site.factsOf<OrganizationFacts>('organizations') as OrganizationFacts

/** An organization as a member sees it. */
export interface Organization {
  id: string
  slug: string
  name: string
  fields: Readonly<Record<string, unknown>>
  members: number
  roles: readonly string[]
  permissions: readonly string[]
}

/** One of one's own. */
export interface OwnOrganization extends Pick<Organization, 'id' | 'slug' | 'name' | 'roles'> {}

/** An invitation that waits for the visitor. */
export interface OwnInvitation {
  id: string
  organization: { id: string; name: string }
  roles: readonly string[]
  invited_by: string | null
}

export interface Member {
  user_id: string
  kind: 'person' | 'service'
  username: string | null
  email: string | null
  roles: readonly string[]
}

/** One that the organization has sent. */
export interface MemberInvitation {
  id: string
  email: string
  roles: readonly string[]
  /** RFC 3339. */
  expires_at: string
}

/** One page of a list. */
export interface Listed<Entry> {
  results: readonly Entry[]
  /** The URL of its next page in JSON. */
  next: string | null
}

/** Reads what an operation shows. */
export async function read<Body>(
  visit: PageVisit,
  id: string,
  input: Parameters<PageVisit['perform']>[1] = {},
): Promise<Body> {
  const { body } = await visit.perform(id, input)
  return body as Body
}

/** The query of a list's operation, as the page's own has it. */
export const positionIn = ({ query: { cursor } }: PageVisit): { cursor?: string } =>
  typeof cursor === 'string' ? { cursor } : {}

/** The cursor of the next page; `null` on the last one. */
export const cursorOf = ({ next }: Pick<Listed<unknown>, 'next'>): string | null =>
  next === null ? null : new URL(next, 'http://localhost').searchParams.get('cursor')

export const nameOf = ({ username, email, user_id }: Member): string => username ?? email ?? user_id

/** Why it was refused; the reasons of organizations are known to their package alone. */
export const isBecause = (
  error: { reason?: string | undefined } | null,
  reason: 'slug_taken' | 'last_owner',
): boolean => error?.reason === reason
