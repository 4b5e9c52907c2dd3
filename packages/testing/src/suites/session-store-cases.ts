import type { SessionStore } from 'fastify-accounts'
import { type ConformanceCase, casesOf, type Handles } from './cases.js'
import { clockLaw } from './clock.js'
import type { OutageOptions } from './outage.js'
import { sessionStoreChangeLaws } from './session-store-change.js'
import { sessionStoreChangeWithUserLaws } from './session-store-change-with-user.js'
import { sessionStoreEndLaws } from './session-store-ends.js'
import { sessionStoreLateLaws } from './session-store-late.js'
import { sessionStoreOutageLaws } from './session-store-outage.js'
import { sessionStoreRecordLaws } from './session-store-records.js'
import { sessionStoreTouchLaws } from './session-store-touch.js'
import { sessionStoreUserUpdateLaws } from './session-store-user-updates.js'
import { sessionStoreWithUsersLaws } from './session-store-with-users.js'

/**
 * The conformance suite of a `SessionStore`, including races. Each case tests one law on a store of its own, which it
 * closes. Takes about four seconds, because it waits for sessions to expire.
 *
 * Not included: 9 (corrupt rows need tests of your own), 10 (the plugin hashes the ids), 16 (two
 * processes).
 *
 * @param makeStore makes an empty store at each call; or two stores on the same empty data, which then take turns in races
 * and in reading what the other wrote
 */
export function sessionStoreCases(
  makeStore: () => Promise<Handles<SessionStore>> | Handles<SessionStore>,
  options: OutageOptions = {},
): ConformanceCase[] {
  return casesOf(
    {
      ...sessionStoreRecordLaws,
      ...sessionStoreEndLaws,
      ...sessionStoreTouchLaws,
      'law 21: now is the time in UTC, roughly to the millisecond, and advances': clockLaw,
      ...sessionStoreChangeLaws,
      ...sessionStoreWithUsersLaws,
      ...sessionStoreUserUpdateLaws,
      ...sessionStoreChangeWithUserLaws,
      ...sessionStoreLateLaws,
      ...sessionStoreOutageLaws(options),
    },
    makeStore,
    (store) => store.close?.(),
  )
}
