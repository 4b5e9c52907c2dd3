import type { MailQueue } from '../seams/outbox.js'
import { createBacklog } from './backlog.js'
import { type Collector, createCollector } from './collector.js'
import type { Delivery } from './delivery.js'
import { createMailHandler } from './handle-mail.js'
import { createHeldNotices } from './held-notices.js'
import { createPollTimes } from './poll-times.js'
import { watchRefusals } from './refusals.js'
import { createRetries, type MailFailure } from './retries.js'
import { retryPolicyOf } from './retry-policy.js'

/** Takes mails out of the outbox, and delivers them. */
export interface Postman {
  /** Has it look soon, after a random delay: there is a mail. */
  wake(): void
  /** Why no further mail is taken; `null` where there is room. */
  refusal(): Promise<Error | null>
  /** Looks for mails that others have left, and from now on again and again, where others can leave any. */
  start(): void
  /**
   * Delivers what is under way, and what was just posted, at most so many milliseconds. What is in memory only is
   * tried again meanwhile, and reported as failed then; what lasts is left to others.
   */
  drain(timeout: number): Promise<void>
}

/**
 * @param deps.realm the mount whose mails these are
 * @param deps.isLasting whether the outbox outlives the process, and others may take from it
 * @param deps.lease milliseconds that a claim lasts. It is renewed each third of that while the mail is in hand: if the
 * process dies, another one takes the mail up after the lease
 * @param deps.onDelay told of the first try that fails, where the last one may be a day away
 * @param deps.onTrouble told once, when the outbox cannot be asked any more
 * @param deps.onRefusals told once when the mail server begins to refuse everybody, with the last refusal, and once
 * when it accepts a mail again, with `null`
 */
export function createPostman(deps: {
  outbox: MailQueue
  realm: string
  isLasting: boolean
  delivery: Delivery
  lease: number
  onFailure(failure: MailFailure): void
  onDelay(failure: MailFailure): void
  onTrouble(error: unknown): void
  onRefusals(error: unknown): void
}): Postman {
  const { outbox, isLasting } = deps
  const takeDue = (): Promise<void> => collector.takeDue()
  const refusals = watchRefusals(deps.onRefusals)
  const held = createHeldNotices({ outbox, isLasting, onDue: takeDue })
  const backlog = createBacklog({ outbox, isLasting, held })
  const times = createPollTimes({ isLasting, refusals, poll: takeDue })
  const retries = createRetries({ ...deps, budgets: deps.delivery, refusals, pollAgain: times.again })
  const handle = createMailHandler({
    ...deps,
    ...{ refusals, held, retries },
    onAddressee: (id, userId) => collector.underWay.set(id, userId),
    wantMore: () => collector.wantMore(),
  })
  const collector = createCollector({ ...deps, refusals, backlog, times, handle })

  return {
    wake: times.wake,
    refusal: backlog.refusal,
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

/** Waits until nothing is left to do for this process, at most so many milliseconds. */
async function untilDone(
  { outbox, isLasting }: { outbox: MailQueue; isLasting: boolean },
  collector: Collector,
  timeout: number,
): Promise<void> {
  /** What is in memory waits for its next try too; what lasts is somebody else's then. */
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

/** Reports what is in memory only, and is lost with the process. */
async function giveUpRest(
  deps: { outbox: MailQueue; realm: string; isLasting: boolean; onFailure(failure: MailFailure): void },
  { underWay }: Collector,
): Promise<void> {
  const { outbox, realm, isLasting, onFailure } = deps
  const error = new Error('the app closed before the email was sent')
  const ever = new Date(8.64e15)
  const limit = retryPolicyOf(isLasting).maxWaiting * 2
  for (const entry of await outbox.claim({ realm, now: ever, until: ever, limit })) {
    const { kind, userId } = entry.mail
    await outbox.remove(entry)
    onFailure({ kind, userId: underWay.get(entry.id) ?? userId, error })
  }
}
