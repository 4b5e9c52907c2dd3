import type { Membership, Organization, OrganizationWrite } from '@fastify-accounts/organizations/store'
import type { ReadRow } from './rows.js'
import {
  anyText,
  type Columns,
  fromRow,
  json,
  limits,
  list,
  orNull,
  text,
  time,
  toColumns,
  toRow,
  whole,
} from './values.js'

/** An organization as a table has it: its fields are JSON. */
export type OrganizationRow = Omit<Organization, 'fields'> & { fields: string }

/** A membership as a table has it: its roles are JSON. */
export type MembershipRow = Omit<Membership, 'roles'> & { roles: string }

const id = text(limits.id)

const changeable: Columns<Omit<Organization, 'id' | 'createdAt' | 'version'>, OrganizationRow> = {
  slug: text(limits.key),
  name: anyText,
  fields: json<Organization['fields']>(),
  members: whole,
  owners: whole,
}

const organization: Columns<Organization, OrganizationRow> = {
  ...changeable,
  id,
  createdAt: time,
  version: whole,
}

const membership: Columns<Membership, MembershipRow> = {
  organizationId: id,
  userId: id,
  roles: list(text(limits.text).write),
  since: time,
  invitationId: orNull(id),
}

/** @throws InvalidArgumentError */
export function toOrganizationRow(values: Omit<Organization, 'version'>): OrganizationRow {
  return toRow(organization, { ...values, version: 1 })
}

/** The columns of the fields that change. @throws InvalidArgumentError */
export function toOrganizationColumns(
  changes: NonNullable<OrganizationWrite['changes']>,
): Partial<OrganizationRow> {
  return toColumns(changeable, changes)
}

/** @throws UnavailableError if the row is unreadable */
export function toOrganization(row: ReadRow<OrganizationRow>): Organization {
  return fromRow(organization, row)
}

/** @throws InvalidArgumentError */
export function toMembershipRow(values: Membership): MembershipRow {
  return toRow(membership, values)
}

/** @throws UnavailableError if the row is unreadable */
export function toMembership(row: ReadRow<MembershipRow>): Membership {
  return fromRow(membership, row)
}
