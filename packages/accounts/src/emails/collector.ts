import type { MailQueue, OutboxEntry } from '../seams/outbox.js'
import type { Backlog } from './backlog.js'
import type { HandleMail } from './handle-mail.js'
import { type KeptClaim, keepClaim } from './kept-claim.js'
import type { PollTimes } from './poll-times.js'
import type { Refusals } from './refusals.js'

/** Takes due mails out of the outbox, a few at a time, and has each handled. */
export interface Collector {
  /** Mails in the hands of this process: whose each is, as soon as that is known. */
  underWay: Map<string, string | null>
  /** Takes what is due, as much as there are hands. Asked while it looks, it looks once more. */
  takeDue(): Promise<void>
  /** Has it look once more as soon as a mail is out of hand. */
  wantMore(): void
  /** Allows so many more claims. */
  allow(claims: number): void
  isIdle(): boolean
  /** Resolves when a look is over, or a mail out of hand. */
  nextChange(): Promise<void>
}

const concurrency = 5

/** @param deps see `createPostman` */
export function createCollector(deps: {
  outbox: MailQueue
  realm: string
  isLasting: boolean
  lease: number
  refusals: Pick<Refusals, 'isEverybody'>
  backlog: Backlog
  times: Pick<PollTimes, 'begun' | 'regularly'>
  handle: HandleMail
  onTrouble(error: unknown): void
}): Collector {
  const { outbox, realm, isLasting, lease, refusals, backlog, times, handle, onTrouble } = deps
  const underWay: Collector['underWay'] = new Map()
  let claimsLeft = Number.POSITIVE_INFINITY
  let isLooking = false
  /** Whether somebody has asked for a look, or there is more than could be taken. */
  let isWanted = false
  let isInTrouble = false
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
    // In memory nobody else leaves any; but a clock may have been put back.
    if (isLasting || (await outbox.count()).waiting > underWay.size) times.regularly()
    onChange()
  }

  async function claim(): Promise<void> {
    isWanted = false
    claimsLeft -= 1
    const limit = concurrency - underWay.size
    const now = Date.now()
    const until = new Date(now + lease)
    const entries = await outbox.claim({ realm, now: new Date(now), until, limit })
    for (const entry of entries) {
      underWay.set(entry.id, entry.mail.userId)
      void takeInHand(entry, keepClaim({ outbox, entry, lease, until, onTrouble }))
    }
    // Where everybody is refused, a few at each look are enough.
    if (entries.length === limit && !refusals.isEverybody()) isWanted = true
    if (isWanted || backlog.wasFull()) await backlog.measure(now)
  }

  async function takeInHand(entry: OutboxEntry, claim: KeptClaim): Promise<void> {
    await handle(entry, claim)
    claim.stop()
    underWay.delete(entry.id)
    if (isWanted) await takeDue()
    onChange()
  }

  return {
    underWay,
    takeDue,
    wantMore() {
      isWanted = true
    },
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
