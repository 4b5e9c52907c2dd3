import type { AccountUser, FieldsSchema } from 'fastify-accounts'
import type { Parts } from './parts.js'
import type { MemberRoles } from './roles.js'

/** What pages of organizations need and no route tells. */
export interface PageFacts {
  /** The permissions of each role. */
  roles: MemberRoles
  /** Own fields of an organization. */
  fields: FieldsSchema | undefined
  /** Whether the app's rule lets somebody create an organization. */
  mayCreate(user: AccountUser): Promise<boolean>
}

export function pageFacts({ settings: { roles, fields }, mayCreate }: Parts): PageFacts {
  return { roles, fields, mayCreate }
}
