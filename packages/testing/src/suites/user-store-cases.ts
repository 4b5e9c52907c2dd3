import type { UserStore } from 'fastify-accounts'
import { type ConformanceCase, casesOf, type Handles } from './cases.js'
import { clockLaw } from './clock.js'
import type { OutageOptions } from './outage.js'
import { alongsideCases, type MakeAlongside } from './user-store-alongside.js'
import { userStoreFailureLaws } from './user-store-failures.js'
import { userStoreFilterLaws } from './user-store-filters.js'
import { userStoreIdentityLaws } from './user-store-identities.js'
import { userStoreImportLaws } from './user-store-imports.js'
import { userStoreKeyLaws } from './user-store-keys.js'
import { userStoreLateLaws } from './user-store-late.js'
import { userStoreListLaws } from './user-store-list.js'
import { userStorePathLaws } from './user-store-paths.js'
import { userStoreRaceLaws } from './user-store-races.js'
import { userStoreRecordLaws } from './user-store-records.js'
import { userStoreSearchLaws } from './user-store-search.js'
import { userStoreSizeLaws } from './user-store-sizes.js'
import { userStoreUpdateLaws } from './user-store-updates.js'

/** Options of `userStoreCases`. What you omit isn't checked. */
export interface UserStoreCaseOptions extends OutageOptions {
  /**
   * Makes an empty store whose option `alongside` these functions are, for stores that have it. They use no `tx`. The laws
   * about it are left out otherwise.
   */
  alongside?: MakeAlongside | undefined
}

/**
 * The conformance suite of a `UserStore`, including races. Each case tests one law on a store of its own, which it closes.
 *
 * Not included: migrations (28 and 30), which need tests of your own; 17, 19 and 31, which don't concern this interface.
 *
 * @param makeStore makes an empty store at each call; or two stores on the same empty data, such as two connections to one
 * database, which then take turns in races and in reading what the other wrote
 */
export function userStoreCases(
  makeStore: () => Promise<Handles<UserStore>> | Handles<UserStore>,
  options: UserStoreCaseOptions = {},
): ConformanceCase[] {
  const cases = casesOf(
    {
      ...userStorePathLaws,
      ...userStoreRecordLaws,
      ...userStoreKeyLaws,
      ...userStoreUpdateLaws,
      ...userStoreRaceLaws,
      ...userStoreListLaws,
      ...userStoreFilterLaws,
      ...userStoreSearchLaws,
      ...userStoreImportLaws,
      'law 33: now is the time in UTC, roughly to the millisecond, and advances': clockLaw,
      ...userStoreLateLaws,
      ...userStoreFailureLaws(options),
      ...userStoreIdentityLaws,
      ...userStoreSizeLaws,
    },
    makeStore,
    (store) => store.close?.(),
  )
  return options.alongside === undefined ? cases : [...cases, ...alongsideCases(options.alongside)]
}
