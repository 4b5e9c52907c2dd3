import type { MailQueue, OutboxEntry } from '../seams/outbox.js'

/** A claim on an email, renewed while the email is being handled. */
export interface KeptClaim {
  /** Whether no other process can have claimed the email. */
  isHeld(): boolean
  stop(): void
}

/**
 * Renews a claim after each third of its lease, until stopped.
 * @param lease milliseconds
 * @param until when the claim ends if it isn't renewed
 */
export function keepClaim({
  outbox,
  entry,
  lease,
  until,
  onTrouble,
}: {
  outbox: Pick<MailQueue, 'renew'>
  entry: OutboxEntry
  lease: number
  until: Date
  onTrouble(error: unknown): void
}): KeptClaim {
  // By the clock of `performance`, because `Date` may be set back.
  let end = performance.now() + until.getTime() - Date.now()
  let isStopped = false
  let next: NodeJS.Timeout | undefined

  function renewLater(): void {
    if (!isStopped) next = setTimeout(renew, lease / 3).unref()
  }

  async function renew(): Promise<void> {
    const asked = performance.now()
    try {
      const isOurs = await outbox.renew(entry, new Date(Date.now() + lease))
      end = isOurs ? asked + lease : 0
      if (isOurs) renewLater()
    } catch (error) {
      onTrouble(error)
      renewLater()
    }
  }

  renewLater()
  return {
    isHeld: () => performance.now() < end,
    stop() {
      isStopped = true
      clearTimeout(next)
    },
  }
}
