import type { UserStore } from '../seams/user-store.js'
import { type ConformanceCase, casesOf, type Handles } from './cases.js'
import { userStoreClockLaws } from './user-store-clock.js'
import { userStoreCredentialLaws } from './user-store-credentials.js'
import { userStoreFilterLaws } from './user-store-filters.js'
import { userStoreIdentityLaws } from './user-store-identities.js'
import { userStoreImportLaws } from './user-store-imports.js'
import { userStoreKeyLaws } from './user-store-keys.js'
import { userStoreListLaws } from './user-store-list.js'
import { userStoreRecordLaws } from './user-store-records.js'
import { userStoreRoleLaws } from './user-store-roles.js'
import { userStoreSearchLaws } from './user-store-search.js'
import { userStoreUpdateLaws } from './user-store-updates.js'

/**
 * The conformance suite of a `UserStore`, including races. Each case tests one law on a store of its own, which it closes.
 *
 * Not included: faults, deadlines and migrations (26 to 28 and 30), which need tests of your own; 17, 19 and 31, which
 * don't concern this interface.
 *
 * @param makeStore makes an empty store at each call; or two stores on the same empty data, such as two connections to one
 * database, which then take turns in races and in reading what the other wrote
 */
export function userStoreCases(
  makeStore: () => Promise<Handles<UserStore>> | Handles<UserStore>,
): ConformanceCase[] {
  return casesOf(
    {
      ...userStoreRecordLaws,
      ...userStoreKeyLaws,
      ...userStoreUpdateLaws,
      ...userStoreListLaws,
      ...userStoreFilterLaws,
      ...userStoreSearchLaws,
      ...userStoreImportLaws,
      ...userStoreClockLaws,
      ...userStoreCredentialLaws,
      ...userStoreIdentityLaws,
      ...userStoreRoleLaws,
    },
    makeStore,
    (store) => store.close?.(),
  )
}
