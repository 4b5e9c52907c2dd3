import type { MessageQueue, PendingMail } from '../seams/outbox.js'
import { type Backlog, createBacklog } from './backlog.js'
import { type Claimer, createClaimer } from './claim-mails.js'
import type { Delivery } from './delivery.js'
import { createMailHandler } from './handle-mail.js'
import { createOutboxClock } from './outbox-clock.js'
import { waitingIn } from './own-realm.js'
import { createPollTimes } from './poll-times.js'
import { createRetries, type MailFailure } from './retries.js'
import type { RetryPolicy } from './retry-policy.js'

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
  /** The clock of the outbox's database, if it has one. */
  now: (() => Promise<Date>) | undefined
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
  /** Called once when the clock of this process is found to be wrong, and once when it is right again, with `null`. */
  onClock(aheadMs: number | null): void
}

export function createPostman(deps: PostmanDeps): Postman {
  const { outbox, policy } = deps
  const clock = createOutboxClock(deps.now, deps.onClock)
  const backlogs = new Map(deps.realms.map((realm) => [realm, createBacklog({ ...deps, realm })]))
  const all = [...backlogs.values()]
  const backlog = {
    measure: async () => void (await Promise.all(all.map((each) => each.measure()))),
    wasFull: () => all.some((each) => each.wasFull()),
  }
  const times = createPollTimes(() => claimer.takeDue())
  const pollAgain = times.again
  const retries = createRetries({ ...deps, clock, budgets: deps.delivery, pollAgain })
  const handle = createMailHandler({ ...deps, clock, retries, pollAgain })
  const claimer = createClaimer({ ...deps, clock, retries, backlog, times, handle })

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
      await untilDone(deps, claimer, timeout)
      times.stop()
      claimer.allow(0)
      if (!policy.isShared) await giveUpRest(deps, claimer)
    },
  }
}

/** Waits until this process has nothing left to do, for at most so many milliseconds. */
async function untilDone(
  { outbox, realms, policy }: Pick<PostmanDeps, 'outbox' | 'realms' | 'policy'>,
  claimer: Claimer,
  timeout: number,
): Promise<void> {
  /** If nobody delivers the rest, it waits for its next attempt as well. */
  async function isDone(): Promise<boolean> {
    if (!claimer.isIdle()) return false
    return policy.isShared || (await waitingIn(outbox, realms)) === 0
  }

  let late: NodeJS.Timeout | undefined
  let isLate = false
  const end = new Promise<void>((resolve) => {
    late = setTimeout(() => {
      isLate = true
      resolve()
    }, timeout)
  })
  while (!isLate) {
    const change = claimer.nextChange()
    if (await isDone()) break
    await Promise.race([change, end])
  }
  clearTimeout(late)
}

/** Reports the emails that are lost with the process. */
async function giveUpRest(
  { outbox, realms, onFailure }: Pick<PostmanDeps, 'outbox' | 'realms' | 'onFailure'>,
  { underWay }: Claimer,
): Promise<void> {
  const error = new Error('the app closed before the email was sent')
  const ever = new Date(8.64e15)
  const limit = Number.MAX_SAFE_INTEGER
  for (const entry of await outbox.claim({ realms, now: ever, until: ever, limit })) {
    const { kind, userId, subject } = entry.message
    await outbox.remove(entry)
    onFailure({ kind, userId: underWay.get(entry.id)?.userId ?? userId, subject, error })
  }
}
