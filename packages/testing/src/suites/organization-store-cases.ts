import type { OrganizationStore } from '@fastify-accounts/organizations/store'
import { type ConformanceCase, casesOf, type Handles } from './cases.js'
import { organizationStoreFailureLaws } from './organization-store-failures.js'
import { organizationStoreKeyLaws } from './organization-store-keys.js'
import { organizationStoreListLaws } from './organization-store-lists.js'
import { organizationStoreMessageLaws } from './organization-store-messages.js'
import { organizationStoreRecordLaws } from './organization-store-records.js'
import { organizationStoreWithUsersLaws } from './organization-store-with-users.js'
import { organizationStoreWriteLaws } from './organization-store-writes.js'
import type { OutageOptions } from './outage.js'

/**
 * The conformance suite of an `OrganizationStore`, including races. Each case tests one law on a store of its own, which it
 * closes.
 *
 * @param makeStore makes an empty store at each call; or two stores on the same empty data, which then take turns in races
 * and in reading what the other wrote
 */
export function organizationStoreCases(
  makeStore: () => Promise<Handles<OrganizationStore>> | Handles<OrganizationStore>,
  options: OutageOptions = {},
): ConformanceCase[] {
  return casesOf(
    {
      ...organizationStoreRecordLaws,
      ...organizationStoreKeyLaws,
      ...organizationStoreListLaws,
      ...organizationStoreWriteLaws,
      ...organizationStoreMessageLaws,
      ...organizationStoreWithUsersLaws,
      ...organizationStoreFailureLaws(options),
    },
    makeStore,
    (store) => store.close?.(),
  )
}
