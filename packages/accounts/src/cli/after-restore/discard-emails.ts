import type { Outbox, OutboxEntry, PendingMail } from '../../index.js'
import { day } from '../../options/time.js'

/** How many emails are claimed at once. */
const claimed = 100

/** How many emails of these realms wait. */
export async function countWaiting(box: Outbox | undefined, realms: readonly string[]): Promise<number> {
  const counts = await Promise.all(realms.map(async (realm) => (await box?.count(realm))?.waiting ?? 0))
  return counts.reduce((sum, count) => sum + count, 0)
}

/** Deletes the waiting emails that tell of something before `since`, also those that are due later. */
export async function discardOld(
  box: Outbox<PendingMail> | undefined,
  realms: readonly string[],
  since: Date,
): Promise<number> {
  if (box === undefined) return 0
  // Later than any attempt; those that are claimed aren't due again by then, but would be in another run.
  const now = new Date(Date.now() + 366 * day)
  const until = new Date(now.getTime() + 1)
  const newer: OutboxEntry<PendingMail>[] = []
  let discarded = 0
  try {
    for (;;) {
      const entries = await box.claim({ realms, now, until, limit: claimed })
      if (entries.length === 0) return discarded
      for (const entry of entries) {
        const { at } = entry.message
        if (at !== undefined && Date.parse(at) >= since.getTime()) newer.push(entry)
        else if (await box.remove(entry)) discarded += 1
      }
    }
  } finally {
    const then = { dueAt: new Date(), error: 'put back by after-restore' }
    for (const entry of newer) await box.postpone(entry, { ...then, attempts: entry.attempts - 1 })
  }
}
