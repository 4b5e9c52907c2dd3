import type { MessageQueue, OutboxEntry, PendingMail } from '../seams/outbox.js'
import type { Backlog } from './backlog.js'
import type { HandleMail, MailInHand } from './handle-mail.js'
import type { OutboxClock } from './outbox-clock.js'
import { waitingIn } from './own-realm.js'
import type { PollTimes } from './poll-times.js'
import type { Retries } from './retries.js'
import type { RetryPolicy } from './retry-policy.js'

/** Claims due emails from the outbox, a few at a time, and has each handled. */
export interface Claimer {
  /** Emails that this process is handling, by id, oldest first. */
  readonly underWay: ReadonlyMap<string, MailInHand>
  /** Claims as many due emails as can be handled. If called while polling, polls once more. */
  takeDue(): Promise<void>
  /** Sets how many further claims are allowed. */
  allow(claims: number): void
  isIdle(): boolean
  /** Resolves when a poll ends or an email has been handled. */
  nextChange(): Promise<void>
}

const concurrency = 5

/** @param deps see `createPostman` */
export function createClaimer(deps: {
  outbox: MessageQueue<PendingMail>
  clock: OutboxClock
  realms: readonly string[]
  policy: Pick<RetryPolicy, 'isShared'>
  lease: number
  retries: Pick<Retries, 'refusesEverybody'>
  backlog: Pick<Backlog, 'measure' | 'wasFull'>
  times: Pick<PollTimes, 'begun' | 'regularly'>
  handle: HandleMail
  onTrouble(error: unknown): void
}): Claimer {
  const { outbox, clock, realms, policy, lease, retries, backlog, times, handle, onTrouble } = deps
  const underWay = new Map<string, MailInHand>()
  let claimsLeft = Number.POSITIVE_INFINITY
  let isLooking = false
  /** Whether a poll was requested, or more is due than could be claimed. */
  let isWanted = false
  let isInTrouble = false
  let turn = 0
  let onChange = (): void => {}

  async function takeDue(): Promise<void> {
    isWanted = true
    times.begun()
    if (isLooking) return
    isLooking = true
    try {
      while (isWanted && claimsLeft > 0 && underWay.size < concurrency) await claim()
      isInTrouble = false
    } catch (error) {
      if (!isInTrouble) onTrouble(error)
      isInTrouble = true
    } finally {
      isLooking = false
    }
    await pollLater()
    onChange()
  }

  /** Nobody else leaves any in memory, but some may be due later, or the clock may have been set back. */
  async function pollLater(): Promise<void> {
    // A poll that was waiting for its turn when the app closed.
    if (claimsLeft === 0) return
    if (policy.isShared || (await waitingIn(outbox, realms)) > underWay.size) times.regularly()
  }

  async function claim(): Promise<void> {
    isWanted = false
    claimsLeft -= 1
    const limit = concurrency - underWay.size
    await clock.ask()
    const claimed = performance.now()
    const now = clock.now()
    const until = new Date(now + lease)
    const entries = await claimOf({ now: new Date(now), until, limit })
    for (const entry of entries) void takeInHand(entry, claimed)
    // While everybody is refused, a few for each poll are enough.
    if (entries.length === limit && !retries.refusesEverybody()) isWanted = true
    if (isWanted || backlog.wasFull()) await backlog.measure()
  }

  /** A claim has room for at least one email of each realm. If there is less, they take turns to be first. */
  async function claimOf(at: Omit<Parameters<typeof outbox.claim>[0], 'realms'>) {
    if (at.limit >= realms.length) return outbox.claim({ ...at, realms })
    turn += 1
    for (const [index] of realms.entries()) {
      const realm = realms[(turn + index) % realms.length] as string
      const entries = await outbox.claim({ ...at, realms: [realm] })
      if (entries.length > 0) return entries
    }
    return []
  }

  /** @param begunAt before it was claimed */
  async function takeInHand(entry: OutboxEntry<PendingMail>, begunAt: number): Promise<void> {
    let claimEnds = begunAt + lease
    let isHandled = false
    let renewal: NodeJS.Timeout | undefined
    const inHand = {
      entry,
      userId: entry.message.userId,
      begunAt,
      isHeld: () => performance.now() < claimEnds,
    }
    underWay.set(entry.id, inHand)

    async function renew(): Promise<void> {
      const start = performance.now()
      try {
        const isOurs = await outbox.renew(entry, new Date(clock.now() + lease))
        claimEnds = isOurs ? start + lease : 0
        if (!isOurs) return
      } catch (error) {
        onTrouble(error)
      }
      renewLater()
    }
    function renewLater(): void {
      if (!isHandled) renewal = setTimeout(renew, lease / 3).unref()
    }

    renewLater()
    await handle(inHand)
    isHandled = true
    clearTimeout(renewal)
    underWay.delete(entry.id)
    if (isWanted) await takeDue()
    // It may have been put back, until later.
    else if (!policy.isShared) await pollLater()
    onChange()
  }

  return {
    underWay,
    takeDue,
    allow(claims) {
      claimsLeft = claims
    },
    isIdle: () => !isLooking && underWay.size === 0,
    nextChange: () =>
      new Promise((resolve) => {
        onChange = resolve
      }),
  }
}
