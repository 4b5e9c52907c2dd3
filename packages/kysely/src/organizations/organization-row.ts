import type { Membership, Organization, OrganizationWrite } from '@fastify-accounts/organizations/store'
import { assertText, InvalidArgumentError } from 'fastify-accounts'
import type { Selectable } from 'kysely'
import type { OrganizationMembersTable, OrganizationsTable } from '../base/schema.js'
import { fromText, fromTime, limits, toJson, toText, toTime, toWhole } from '../base/values.js'
import type { MemberRow, OrganizationRow } from '../columns/organization-columns.js'

/** What one write does, as the columns store it. */
export interface WriteRows {
  id: string
  expected: number
  columns: Partial<OrganizationRow>
  put: readonly MemberRow[]
  remove: readonly string[]
  isDeletion: boolean
}

type Changes = NonNullable<OrganizationWrite['changes']>

const encoders: {
  [Field in keyof Changes]-?: (value: Organization[Field]) => string | number
} = {
  slug: (value) => toText('slug', value, limits.id),
  name: (value) => toText('name', value, limits.text),
  fields: (value) => toJson('fields', value),
  members: (value) => toWhole('members', value),
  owners: (value) => toWhole('owners', value),
}
const changeable = Object.keys(encoders) as (keyof Changes)[]

/**
 * The columns of the fields that are set; `undefined` is not set.
 * @throws InvalidArgumentError
 */
function toColumns(changes: Changes): Partial<OrganizationRow> {
  const row: Partial<Record<keyof Changes, string | number>> = {}
  for (const field of changeable) {
    const value = changes[field]
    if (value !== undefined) row[field] = (encoders[field] as (value: unknown) => string | number)(value)
  }
  return row as Partial<OrganizationRow>
}

/** @throws InvalidArgumentError */
export function toOrganizationRow(organization: Omit<Organization, 'version'>): OrganizationRow {
  const { slug, name, fields, members, owners } = organization
  return {
    id: toText('id', organization.id, limits.id),
    created_at: toTime('createdAt', organization.createdAt),
    ...{ slug: encoders.slug(slug), name: encoders.name(name), fields: encoders.fields(fields) },
    ...{ members: encoders.members(members), owners: encoders.owners(owners), version: 1 },
  } as OrganizationRow
}

/**
 * @param organizationId the one that is written: the version of no other is compared
 * @throws InvalidArgumentError
 */
export function toMemberRow(membership: Membership, organizationId: string): MemberRow {
  const { userId, roles, since, invitationId } = membership
  if (membership.organizationId !== organizationId)
    throw new InvalidArgumentError('organizationId is of another organization')
  if (!Array.isArray(roles)) throw new InvalidArgumentError('roles must be a list')
  return {
    organization_id: toText('organizationId', organizationId, limits.id),
    user_id: toText('userId', userId, limits.id),
    roles: toJson('roles', roles),
    since: toTime('since', since),
    invitation_id: invitationId === null ? null : toText('invitationId', invitationId, limits.id),
  }
}

/** @throws InvalidArgumentError */
export function toWriteRows(write: OrganizationWrite): WriteRows {
  const { organizationId, expectedVersion, changes = {}, put = [], remove = [], isDeletion = false } = write
  assertText('organizationId', organizationId)
  for (const userId of remove) assertText('userId', userId)
  return {
    id: organizationId,
    expected: expectedVersion,
    columns: toColumns(changes),
    put: put.map((each) => toMemberRow(each, organizationId)),
    remove,
    isDeletion,
  }
}

export function toOrganization(row: Selectable<OrganizationsTable>): Organization {
  return {
    id: fromText(row.id),
    slug: fromText(row.slug),
    name: row.name,
    fields: JSON.parse(row.fields),
    createdAt: fromTime(row.created_at),
    members: Number(row.members),
    owners: Number(row.owners),
    version: Number(row.version),
  }
}

export function toMembership(row: Selectable<OrganizationMembersTable>): Membership {
  return {
    organizationId: fromText(row.organization_id),
    userId: fromText(row.user_id),
    roles: JSON.parse(row.roles),
    since: fromTime(row.since),
    invitationId: row.invitation_id === null ? null : fromText(row.invitation_id),
  }
}
