import type { InvitationStore } from 'fastify-accounts'
import { type ConformanceCase, casesOf, type Handles } from './cases.js'
import { clockLaw } from './clock.js'
import { invitationStoreChangeLaws } from './invitation-store-changes.js'
import { invitationStoreFailureLaws } from './invitation-store-failures.js'
import { invitationStoreKeyLaws } from './invitation-store-keys.js'
import { invitationStoreListLaws } from './invitation-store-lists.js'
import { invitationStoreMessageLaws } from './invitation-store-messages.js'
import { invitationStoreRecordLaws } from './invitation-store-records.js'
import type { OutageOptions } from './outage.js'

/**
 * The conformance suite of an `InvitationStore`, including races. Each case tests one law on a store of its own, which it
 * closes.
 *
 * @param makeStore makes an empty store at each call; or two stores on the same empty data, which then take turns in races
 * and in reading what the other wrote
 */
export function invitationStoreCases(
  makeStore: () => Promise<Handles<InvitationStore>> | Handles<InvitationStore>,
  options: OutageOptions = {},
): ConformanceCase[] {
  return casesOf(
    {
      ...invitationStoreRecordLaws,
      ...invitationStoreKeyLaws,
      ...invitationStoreListLaws,
      ...invitationStoreChangeLaws,
      ...invitationStoreMessageLaws,
      'law 14: now is the time in UTC, roughly to the millisecond, and advances': clockLaw,
      ...invitationStoreFailureLaws(options),
    },
    makeStore,
    (store) => store.close?.(),
  )
}
