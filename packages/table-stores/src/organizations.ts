/**
 * An organization store that queries its tables through your own database client or ORM: you write one statement per function.
 *
 * @module organizations
 */

export type { MembershipRow, OrganizationRow } from './organization-row.js'
export { createTableOrganizationStore } from './organization-store.js'
export type { MembershipKey, OrganizationAndMember, OrganizationTable } from './organization-table.js'
