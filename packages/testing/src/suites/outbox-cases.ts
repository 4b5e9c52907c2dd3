import type { Outbox, PendingMail, UserStore } from 'fastify-accounts'
import { noted } from './calls.js'
import { type ConformanceCase, casesOf, type Handles, isPair } from './cases.js'
import type { TestMessage } from './messages.js'
import { outboxChangeLaws } from './outbox-changes.js'
import { outboxClaimLaws } from './outbox-claims.js'
import { outboxDeadLetterLaws } from './outbox-dead-letters.js'
import { outboxDueLaws } from './outbox-due.js'
import { outboxLateLaws } from './outbox-late.js'
import { outboxOutageLaws } from './outbox-outage.js'
import { outboxSplitLaws } from './outbox-split.js'
import type { WithOutbox } from './outbox-steps.js'
import { outboxTogetherLaws } from './outbox-together.js'
import { type OutboxCaseOptions, outboxUnreadableLaws } from './outbox-unreadable.js'

/**
 * The conformance suite of an `Outbox` and its store, including races. Each case tests one law on a store of its own,
 * which it closes.
 *
 * @param makeStore makes a store with an empty outbox at each call; or two stores on the same empty data, which then take
 * turns in races
 */
export function outboxCases(
  makeStore: () => Promise<Handles<UserStore>> | Handles<UserStore>,
  options: OutboxCaseOptions = {},
): ConformanceCase[] {
  return casesOf(
    {
      ...outboxDueLaws,
      ...outboxClaimLaws,
      ...outboxDeadLetterLaws,
      ...outboxSplitLaws,
      ...outboxChangeLaws,
      ...outboxLateLaws,
      ...outboxTogetherLaws,
      ...outboxUnreadableLaws(options),
      ...outboxOutageLaws(options),
    },
    async () => {
      const handles = await makeStore()
      return isPair(handles) ? [withOutbox(handles[0]), withOutbox(handles[1])] : withOutbox(handles)
    },
    ({ store }) => store.close?.(),
  )
}

function withOutbox(store: UserStore): WithOutbox {
  if (store.outbox === undefined) throw new Error('the store has no outbox')
  const outbox = noted(store.outbox)
  return { store: noted(store), outbox: outbox as Outbox<TestMessage>, mails: outbox as Outbox<PendingMail> }
}
