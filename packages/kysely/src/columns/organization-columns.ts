import type { OrganizationMembersTable, OrganizationsTable } from '../base/schema.js'

/** An organization as its columns store it; times in milliseconds. */
export type OrganizationRow = Record<'id' | 'slug' | 'name' | 'fields', string> &
  Record<'created_at' | 'members' | 'owners' | 'version', number>

/** A membership as its columns store it. */
export type MemberRow = Record<'organization_id' | 'user_id' | 'roles', string> & {
  since: number
  invitation_id: string | null
}

/** All columns, so a query selects no column that the host has added. */
export const organizationColumns: readonly (keyof OrganizationsTable)[] = [
  'id',
  'slug',
  'name',
  'fields',
  'created_at',
  'members',
  'owners',
  'version',
]

export const memberColumns: readonly (keyof OrganizationMembersTable)[] = [
  'organization_id',
  'user_id',
  'roles',
  'since',
  'invitation_id',
]
