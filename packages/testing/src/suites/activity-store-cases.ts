import type { ActivityStore } from 'fastify-accounts'
import { activityStoreFailureLaws } from './activity-store-failures.js'
import { activityStoreListLaws } from './activity-store-lists.js'
import { activityStoreRecordLaws } from './activity-store-records.js'
import { type ConformanceCase, casesOf, type Handles } from './cases.js'
import type { OutageOptions } from './outage.js'

/**
 * The conformance suite of an `ActivityStore`, including races. Each case tests one law on a store of its own, which it closes.
 *
 * @param makeStore makes an empty store at each call; or two stores on the same empty data, which then take turns in races
 * and in reading what the other wrote
 */
export function activityStoreCases(
  makeStore: () => Promise<Handles<ActivityStore>> | Handles<ActivityStore>,
  options: OutageOptions = {},
): ConformanceCase[] {
  return casesOf(
    { ...activityStoreRecordLaws, ...activityStoreListLaws, ...activityStoreFailureLaws(options) },
    makeStore,
    (store) => store.close?.(),
  )
}
