/**
 * An organization store on tables that your own database client or ORM queries: you write one statement per function.
 *
 * @module organizations
 */

export type { MembershipRow, OrganizationRow } from './organization-row.js'
export { createTableOrganizationStore } from './organization-store.js'
export type { MembershipKey, OrganizationAndMember, OrganizationTable } from './organization-table.js'
