/**
 * What a store of organizations is: for those who write or test one. Declares none of the names of the feature.
 */

export { createMemoryOrganizationStore } from './store/memory-organization-store.js'
export type {
  MemberListQuery,
  Membership,
  MembershipListQuery,
  Organization,
  OrganizationKey,
  OrganizationListQuery,
  OrganizationStore,
  OrganizationWrite,
} from './store/organization-store.js'
export { organizationStoreMethods, withUsersMethods } from './store/store-methods.js'
