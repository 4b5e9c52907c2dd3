export { organizationStoreCases } from './suites/organization-store-cases.js'
export { newMembership, newOrganization } from './suites/organizations.js'
