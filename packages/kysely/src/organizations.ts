export {
  createKyselyOrganizationStore,
  type OrganizationStoreOptions,
} from './organizations/organization-store.js'
