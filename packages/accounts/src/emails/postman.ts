import type { MailQueue } from '../seams/outbox.js'
import { type Backlog, createBacklog } from './backlog.js'
import { type Collector, createCollector } from './collector.js'
import type { Delivery } from './delivery.js'
import { createDoneMails } from './done-mails.js'
import { createMailHandler } from './handle-mail.js'
import { createHeldNotices } from './held-notices.js'
import { createOutboxClock } from './outbox-clock.js'
import { createPollTimes } from './poll-times.js'
import { watchRefusals } from './refusals.js'
import { createRetries, type MailFailure } from './retries.js'
import { retryPolicyOf } from './retry-policy.js'

/** Claims emails from the outbox and delivers them. */
export interface Postman {
  /** Polls soon, after a random delay: an email was posted. */
  wake(): void
  refusal: Backlog['refusal']
  /** How many emails this process is handling, and for how many milliseconds the oldest of them. */
  underWay(): { underWay: number; oldestMs: number }
  /** Polls for emails that others have left, now and then regularly if others can leave any. */
  start(): void
  /**
   * Delivers what is in progress and what was just posted, for at most `timeout` milliseconds. Emails in
   * memory only are retried meanwhile, and then reported as failed; lasting ones are left to other processes.
   */
  drain(timeout: number): Promise<void>
}

/**
 * @param deps.realm the mount that owns these emails
 * @param deps.isLasting whether the outbox outlives the process, and others may take from it
 * @param deps.now the clock of the outbox's database, if it has one
 * @param deps.onClock called once when the clock of this process is found to be wrong, and once when it is right again
 * @param deps.lease how long a claim lasts, in milliseconds. It is renewed after each third while the email
 * is handled; if the process dies, another one claims the email after the lease
 * @param deps.onDelay called at the first failed attempt, if the last one may be a day away
 * @param deps.onTrouble called once when the outbox stops answering
 * @param deps.onRefusals called once when the mail server begins to refuse everybody, with the last refusal,
 * and once when it accepts an email again, with `null`
 */
export function createPostman(deps: {
  outbox: MailQueue
  realm: string
  isLasting: boolean
  now: (() => Promise<Date>) | undefined
  delivery: Delivery
  lease: number
  onFailure(failure: MailFailure): void
  onDelay(failure: MailFailure): void
  onTrouble(error: unknown): void
  onRefusals(error: unknown): void
  onClock(aheadMs: number | null): void
}): Postman {
  const { outbox, isLasting } = deps
  const clock = createOutboxClock(deps.now, deps.onClock)
  const takeDue = (): Promise<void> => collector.takeDue()
  const refusals = watchRefusals(deps.onRefusals)
  const held = createHeldNotices({ outbox, isLasting, onDue: takeDue })
  const backlog = createBacklog({ outbox, isLasting, held })
  const times = createPollTimes({ isLasting, refusals, poll: takeDue })
  const retries = createRetries({ ...deps, clock, budgets: deps.delivery, refusals, pollAgain: times.again })
  const done = createDoneMails({ ...deps, clock, ...retryPolicyOf(isLasting) })
  const handle = createMailHandler({
    ...deps,
    clock,
    refusals,
    held,
    retries,
    done,
    onAddressee(id, userId) {
      const known = collector.underWay.get(id)
      if (known !== undefined) known.userId = userId
    },
    wantMore: () => collector.wantMore(),
  })
  const collector = createCollector({ ...deps, clock, refusals, backlog, times, handle })

  return {
    wake: times.wake,
    refusal: backlog.refusal,
    underWay() {
      const [oldest] = collector.underWay.values()
      return {
        underWay: collector.underWay.size,
        oldestMs: oldest === undefined ? 0 : Math.round(performance.now() - oldest.begunAt),
      }
    },
    start() {
      if (isLasting) setImmediate(takeDue)
    },
    async drain(timeout) {
      if (isLasting) collector.allow(1)
      await held.release()
      void takeDue()
      await untilDone(deps, collector, timeout)
      times.stop()
      collector.allow(0)
      if (!isLasting) await giveUpRest(deps, collector)
    },
  }
}

/** Waits until this process has nothing left to do, for at most so many milliseconds. */
async function untilDone(
  { outbox, isLasting }: { outbox: MailQueue; isLasting: boolean },
  collector: Collector,
  timeout: number,
): Promise<void> {
  /** Emails in memory wait for their next attempt too; lasting ones are left to other processes. */
  async function isDone(): Promise<boolean> {
    if (!collector.isIdle()) return false
    return isLasting || (await outbox.count()).waiting === 0
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
    const change = collector.nextChange()
    if (await isDone()) break
    await Promise.race([change, end])
  }
  clearTimeout(late)
}

/** Reports the emails in memory only, which are lost with the process. */
async function giveUpRest(
  deps: { outbox: MailQueue; realm: string; isLasting: boolean; onFailure(failure: MailFailure): void },
  { underWay }: Collector,
): Promise<void> {
  const { outbox, realm, isLasting, onFailure } = deps
  const error = new Error('the app closed before the email was sent')
  const ever = new Date(8.64e15)
  const limit = retryPolicyOf(isLasting).maxWithChanges * 2
  for (const entry of await outbox.claim({ realm, now: ever, until: ever, limit })) {
    const { kind, userId } = entry.mail
    await outbox.remove(entry)
    onFailure({ kind, userId: underWay.get(entry.id)?.userId ?? userId, error })
  }
}
