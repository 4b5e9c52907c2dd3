import type { MessageQueue, OutboxEntry, PendingMessage } from '../seams/outbox.js'
import type { OutboxClock } from './outbox-clock.js'
import type { PollTimes } from './poll-times.js'
import { countIn } from './realm-counts.js'
import type { RetryPolicy } from './retry-policy.js'

/** A message that this process is handling. */
export interface InHand<Message extends PendingMessage> {
  readonly entry: OutboxEntry<Message>
  /** Whom it is about: the message's, until more is known. */
  userId: string | null
  /** In milliseconds of `performance.now()`, because `Date` may be set back. */
  readonly begunAt: number
  /** Whether no other process can have claimed it. */
  isHeld(): boolean
}

/** Delivers one claimed message, drops it, or puts it back. Never rejects. */
export type HandleMessage<Message extends PendingMessage> = (inHand: InHand<Message>) => Promise<void>

/** Claims due messages from the outbox, a few at a time, and has each handled. */
export interface Claimer<Message extends PendingMessage> {
  /** Messages that this process is handling, by id, oldest first. */
  readonly underWay: ReadonlyMap<string, InHand<Message>>
  /** Claims as many due messages as can be handled. If called while polling, polls once more. */
  takeDue(): Promise<void>
  /** Sets how many further claims are allowed. */
  allow(claims: number): void
  isIdle(): boolean
  /** Resolves when a poll ends or a message has been handled. */
  nextChange(): Promise<void>
}

/** How many messages one claimer handles at once. */
const concurrency = 5

/** What a claimer works with, and whom it tells. */
export interface ClaimerDeps<Message extends PendingMessage> {
  outbox: Pick<MessageQueue<Message>, 'claim' | 'renew' | 'count'>
  clock: OutboxClock
  /** What it claims: each waits in a line of its own, with a fair share of the deliveries. */
  realms: readonly string[]
  policy: Pick<RetryPolicy, 'isShared'>
  /**
   * How long a claim lasts, in milliseconds. It is renewed after each third while the message is handled; if the process
   * dies, another one claims the message after the lease.
   */
  lease: number
  times: Pick<PollTimes, 'begun' | 'regularly'>
  handle: HandleMessage<Message>
  /** Whether the regular polls are enough for now, since no delivery succeeds. Default: never. */
  isSlow?(): boolean
  /** Whether nothing may be claimed for now. Default: never. */
  isPaused?(): boolean
  /** Called after a claim with whether more may be due. Default: nothing. */
  onClaimed?(isMoreDue: boolean): Promise<void>
  /** Called once when the outbox becomes unavailable. */
  onTrouble(error: unknown): void
}

export function createClaimer<Message extends PendingMessage>(deps: ClaimerDeps<Message>): Claimer<Message> {
  const { outbox, clock, realms, policy, lease, times, handle, onTrouble } = deps
  const { isSlow = () => false, isPaused = () => false } = deps
  const underWay = new Map<string, InHand<Message>>()
  let claimsLeft = Number.POSITIVE_INFINITY
  let isLooking = false
  /** Whether a poll was requested, or more is due than could be claimed. */
  let isWanted = false
  let isInTrouble = false
  let turn = 0
  let onChange = (): void => {}

  const mayClaim = (): boolean => claimsLeft > 0 && underWay.size < concurrency && !isPaused()

  async function takeDue(): Promise<void> {
    isWanted = true
    times.begun()
    if (isLooking) return
    isLooking = true
    try {
      while (isWanted && mayClaim()) await claim()
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
    if (policy.isShared || (await countIn(outbox, realms)).waiting > underWay.size) times.regularly()
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
    // While no delivery succeeds, a few for each poll are enough.
    if (entries.length === limit && !isSlow()) isWanted = true
    await deps.onClaimed?.(isWanted)
  }

  /** A claim has room for at least one message of each realm. If there is less, they take turns to be first. */
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
  async function takeInHand(entry: OutboxEntry<Message>, begunAt: number): Promise<void> {
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
