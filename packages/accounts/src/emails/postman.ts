import { type Backlog, createBacklog } from '../outbox/backlog.js'
import { type Claimer, createClaimer } from '../outbox/claimer.js'
import { takeRest, untilDone } from '../outbox/drain.js'
import type { OutboxClock } from '../outbox/outbox-clock.js'
import { createPollTimes } from '../outbox/poll-times.js'
import { countIn } from '../outbox/realm-counts.js'
import { createRemover } from '../outbox/remover.js'
import type { RetryPolicy } from '../outbox/retry-policy.js'
import type { MessageQueue, PendingMail } from '../seams/outbox.js'
import type { Delivery } from './delivery.js'
import { createMailHandler } from './handle-mail.js'
import { createRetries, type MailFailure } from './retries.js'

/** Claims emails from the outbox and delivers them. */
export interface Postman {
  /** Polls soon, after a random delay: an email was posted. */
  wake(): void
  /** @param realm of the emails */
  refusal(realm: string, ...mails: Parameters<Backlog['refusal']>): ReturnType<Backlog['refusal']>
  /** How many emails this process is handling, and for how many milliseconds the oldest of them. */
  underWay(): { underWay: number; oldestMs: number }
  /** Polls for emails that others have left. */
  start(): void
  /**
   * Delivers what is in progress and what was just posted, for at most `timeout` milliseconds. The rest is left to other
   * processes; if there are none, it is delivered as well, or else reported as failed.
   */
  drain(timeout: number): Promise<void>
}

/** One in memory can make held-back notices due at once, because nobody delivers them after this process. */
export type PostmansOutbox = MessageQueue<PendingMail> & { releaseHeld?: (() => void) | undefined }

/** What the postman works with, and whom it tells. */
interface PostmanDeps {
  outbox: PostmansOutbox
  /** What it delivers: each waits in a line of its own, with a fair share of the deliveries. */
  realms: readonly string[]
  policy: RetryPolicy
  clock: OutboxClock
  delivery: Delivery
  /**
   * How long a claim lasts, in milliseconds. It is renewed after each third while the email is handled; if the process
   * dies, another one claims the email after the lease.
   */
  lease: number
  onFailure(failure: MailFailure): void
  /** Called at the first failed attempt, if the last one may be a day away. */
  onDelay(failure: MailFailure): void
  /** Called once when the outbox becomes unavailable. */
  onTrouble(error: unknown): void
  /**
   * Called once when the mail server begins to refuse everybody, with the last refusal, and once when it accepts an email
   * again, with `null`.
   */
  onRefusals(error: unknown): void
}

export function createPostman(deps: PostmanDeps): Postman {
  const { outbox, policy } = deps
  const backlogs = new Map(
    deps.realms.map((realm) => [realm, createBacklog({ ...deps, realm, what: 'emails' })]),
  )
  const all = [...backlogs.values()]
  const times = createPollTimes(() => claimer.takeDue())
  const pollAgain = times.again
  const retries = createRetries({ ...deps, budgets: deps.delivery, pollAgain })
  const remover = createRemover(outbox, deps.onTrouble)
  const claimer = createClaimer({
    ...deps,
    times,
    handle: createMailHandler({ ...deps, remover, retries, pollAgain }),
    isSlow: retries.refusesEverybody,
    async onClaimed(isMoreDue) {
      if (isMoreDue || all.some((each) => each.wasFull()))
        await Promise.all(all.map((each) => each.measure()))
    },
  })

  return {
    wake() {
      // While everybody is refused, the regular polls are enough.
      if (!retries.refusesEverybody()) times.wake()
    },
    async refusal(realm, ...mails) {
      return backlogs.get(realm)?.refusal(...mails) ?? null
    },
    underWay() {
      const [oldest] = claimer.underWay.values()
      return {
        underWay: claimer.underWay.size,
        oldestMs: oldest === undefined ? 0 : Math.round(performance.now() - oldest.begunAt),
      }
    },
    start: () => void setImmediate(claimer.takeDue),
    async drain(timeout) {
      if (policy.isShared) claimer.allow(1)
      else outbox.releaseHeld?.()
      void claimer.takeDue()
      // If nobody delivers the rest, it waits for its next attempt as well.
      const isDone = async () => policy.isShared || (await countIn(outbox, deps.realms)).waiting === 0
      await untilDone([claimer], timeout, isDone)
      times.stop()
      claimer.allow(0)
      if (!policy.isShared) await giveUpRest(deps, claimer)
    },
  }
}

/** Reports the emails that are lost with the process. */
async function giveUpRest(
  { outbox, realms, onFailure }: Pick<PostmanDeps, 'outbox' | 'realms' | 'onFailure'>,
  { underWay }: Claimer<PendingMail>,
): Promise<void> {
  const error = new Error('the app closed before the email was sent')
  for (const { id, message } of await takeRest(outbox, realms)) {
    const { kind, userId, subject } = message
    onFailure({ kind, userId: underWay.get(id)?.userId ?? userId, subject, error })
  }
}
