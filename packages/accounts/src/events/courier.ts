/*
 * How events are delivered, in the order of the files; events.ts says how they come about.
 *
 * 1. Wait: with the change that it tells of, in an outbox (seams/outbox.ts), as one message with all events of that change.
 * 2. Split: this file claims messages of the realm `<mount>:events`, and replaces each by one for each subscriber, in the
 *    realms `<mount>:to:<subscriber>` (realms.ts, split.ts).
 * 3. Deliver: each subscriber has a claimer of its own, so a slow one delays no other. deliver.ts calls its handlers,
 *    handler-calls.ts ends calls that take too long.
 * 4. Finish: deliver.ts removes what was delivered; put-back.ts lets what failed wait, or gives it up.
 *
 * Claims, leases, polls and pauses are those of emails: see outbox/.
 */

import { describeError } from '../adapters/describe-error.js'
import { createBacklog } from '../outbox/backlog.js'
import { type Claimer, createClaimer, type HandleMessage } from '../outbox/claimer.js'
import { takeRest, untilDone } from '../outbox/drain.js'
import type { OutboxClock } from '../outbox/outbox-clock.js'
import { createPollTimes, type PollTimes } from '../outbox/poll-times.js'
import { countIn } from '../outbox/realm-counts.js'
import { createRemover } from '../outbox/remover.js'
import type { RetryPolicy } from '../outbox/retry-policy.js'
import type { PendingEvents, Subscriber } from '../seams/events.js'
import type { MessageQueue } from '../seams/outbox.js'
import { createDeliver } from './deliver.js'
import { createHandlerCalls, type HandlerCalls } from './handler-calls.js'
import type { Interest } from './interest.js'
import { createPutBack, type EventFailure } from './put-back.js'
import { eventRealm, subscriberRealm } from './realms.js'
import { createSplit } from './split.js'
import type { Subscribers } from './subscribers.js'

/** Delivers events to the subscribers of this process. Without any it does nothing. */
export interface Courier {
  /** Called once, at start, with those of this process. */
  subscribe(subscribers: Subscribers): void
  /**
   * Stores messages in the realm of events that are stored with no change.
   * @returns `false` if there was no room: in memory, only so many wait
   * @throws AccountsError ACCOUNTS_UNAVAILABLE
   */
  post(messages: readonly PendingEvents[]): Promise<boolean>
  /** The same for events of what is done already: those that can't be stored are dropped. Never rejects. */
  postAfter(messages: readonly PendingEvents[]): Promise<void>
  /** Polls soon, after a random delay: events were stored. */
  wake(): void
  /** Polls for events that others have left. */
  start(): void
  /** How many messages this process is delivering, and for how many milliseconds the oldest of them. */
  underWay(): { underWay: number; oldestMs: number }
  /**
   * Lets running handlers end, for at most `timeout` milliseconds, the last of them with an aborted signal. What waits is left
   * to other processes; if there are none, it is delivered as well, or else reported as lost.
   */
  drain(timeout: number): Promise<void>
}

/** What the courier works with, and whom it tells. */
export interface CourierDeps {
  outbox: MessageQueue<PendingEvents>
  interest: Pick<Interest, 'addressees'>
  /** Whose events: a mount's `decorateAs.instance`. */
  mount: string
  policy: RetryPolicy
  clock: OutboxClock
  /** How long a claim lasts, in milliseconds; see `createClaimer`. */
  lease: number
  /** Called when events are given up after the last attempt. */
  onFailure(failure: EventFailure): void
  /** Called at the first failed attempt. */
  onDelay(failure: EventFailure): void
  /** Called when events are lost for lack of room, or with the process; `null`: before they were split. */
  onDropped(subscriber: string | null, messages: number, reason: string): void
  /** Called when a subscriber gets nothing more until some of so many calls end. */
  onPause(subscriber: string, running: number): void
  /** Called when the outbox becomes unavailable. */
  onTrouble(error: unknown): void
}

/** What claims the messages of one realm. */
interface Line {
  realm: string
  times: PollTimes
  claimer: Claimer<PendingEvents>
  /** Of the subscriber. */
  calls?: HandlerCalls
}

/** How long before the end of `drain` the signals of running handlers are aborted, in milliseconds. */
const grace = 1_000

export function createCourier(deps: CourierDeps): Courier {
  const { outbox, mount, policy, onDropped } = deps
  const remover = createRemover(outbox, deps.onTrouble)
  const backlog = createBacklog({ ...deps, realm: eventRealm(mount), what: 'events' })
  let lines: Line[] = []
  let isClosing = false

  /** @param handlerOf what handles its messages, which may request a poll in so many milliseconds */
  function lineOf(
    realm: string,
    handlerOf: (pollAgain: (delay: number) => void) => HandleMessage<PendingEvents>,
    calls?: HandlerCalls,
  ): Line {
    const times = createPollTimes(() => claimer.takeDue())
    const claimer = createClaimer({
      ...deps,
      realms: [realm],
      times,
      handle: handlerOf(times.again),
      ...(calls && { isPaused: calls.isPaused }),
    })
    return { realm, times, claimer, ...(calls && { calls }) }
  }

  const putBackOf = (subscriber: string | null, pollAgain: (delay: number) => void) =>
    createPutBack({ ...deps, subscriber, pollAgain, isClosing: () => isClosing })

  function lineTo(name: string, subscriber: Subscriber): Line {
    const calls = createHandlerCalls({
      onPause: (running) => deps.onPause(name, running),
      onResume: () => void line.claimer.takeDue(),
    })
    const line = lineOf(
      subscriberRealm(mount, name),
      (pollAgain) =>
        createDeliver({
          ...{ outbox, policy, remover, subscriber, calls, pollAgain },
          putBack: putBackOf(name, pollAgain),
          onTrouble: deps.onTrouble,
        }),
      calls,
    )
    return line
  }

  async function post(messages: readonly PendingEvents[]): Promise<boolean> {
    if (messages.length === 0) return true
    // Nobody would ever take them out of this memory.
    if (lines.length === 0 && !policy.isShared) return true
    const refusal = await backlog.refusal(messages.length, !messages.every(({ isDroppable }) => isDroppable))
    if (refusal !== null) {
      onDropped(null, messages.length, refusal.message)
      return false
    }
    await outbox.add(messages)
    lines[0]?.times.wake()
    return true
  }

  return {
    subscribe(own) {
      if (own.size === 0) return
      const to = new Map([...own].map(([name, subscriber]) => [name, lineTo(name, subscriber)]))
      const splitter = lineOf(eventRealm(mount), (pollAgain) =>
        createSplit({
          ...deps,
          remover,
          subscribers: to.keys(),
          putBack: putBackOf(null, pollAgain),
          onSplit: (names) => {
            for (const name of names) to.get(name)?.times.again(0)
          },
        }),
      )
      lines = [splitter, ...to.values()]
    },
    post,
    async postAfter(messages) {
      await post(messages).catch((error) => onDropped(null, messages.length, describeError(error)))
    },
    wake: () => lines[0]?.times.wake(),
    start: () => {
      for (const { claimer } of lines) setImmediate(claimer.takeDue)
    },
    underWay() {
      const all = lines.flatMap(({ claimer }) => [...claimer.underWay.values()])
      const oldest = Math.min(...all.map(({ begunAt }) => begunAt))
      return {
        underWay: all.length,
        oldestMs: all.length === 0 ? 0 : Math.round(performance.now() - oldest),
      }
    },
    async drain(timeout) {
      const claimers = lines.map(({ claimer }) => claimer)
      const realms = lines.map(({ realm }) => realm)
      for (const claimer of claimers) {
        if (policy.isShared) claimer.allow(0)
        else void claimer.takeDue()
      }
      const isDone = async () => policy.isShared || (await countIn(outbox, realms)).waiting === 0
      await untilDone(claimers, timeout - grace, isDone)
      isClosing = true
      for (const { times, claimer, calls } of lines) {
        times.stop()
        claimer.allow(0)
        calls?.abort()
      }
      await untilDone(claimers, grace)
      if (policy.isShared || realms.length === 0) return
      const lost = await takeRest(outbox, realms)
      if (lost.length > 0) onDropped(null, lost.length, 'the app closed')
    },
  }
}
