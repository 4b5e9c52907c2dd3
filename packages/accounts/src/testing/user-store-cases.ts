import type { UserStore } from '../seams/user-store.js'
import { type ConformanceCase, casesOf, type Handles } from './cases.js'
import { userStoreClockLaws } from './user-store-clock.js'
import { userStoreCredentialLaws } from './user-store-credentials.js'
import { userStoreIdentityLaws } from './user-store-identities.js'
import { userStoreImportLaws } from './user-store-imports.js'
import { userStoreKeyLaws } from './user-store-keys.js'
import { userStoreListLaws } from './user-store-list.js'
import { userStoreRecordLaws } from './user-store-records.js'
import { userStoreUpdateLaws } from './user-store-updates.js'

/**
 * The laws of a `UserStore`, races included. A case a law; each case makes a store of its own and closes it.
 *
 * Not among them: 6 (the plugin makes the keys), 17 and 24 to 25 (the seam has compare-and-swap instead of counters
 * and transactions), 19 (sessions have a store of their own), 26 to 28 and 30 (faults, deadlines and migrations
 * cannot be brought about through the seam: they belong into the adapter's own tests), 31 (the plugin's views of a
 * user, not the store's records, go out).
 *
 * @param makeStore makes a store that is empty, at each call; or two stores on the same empty data, such as two
 * connections to one database, which then take turns in races and in reading what the other one wrote
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
      ...userStoreImportLaws,
      ...userStoreClockLaws,
      ...userStoreCredentialLaws,
      ...userStoreIdentityLaws,
    },
    makeStore,
    (store) => store.close?.(),
  )
}
