import type { MailQueue, OutboxEntry } from '../seams/outbox.js'

/** A claim on a mail, renewed while the mail is in hand. */
export interface KeptClaim {
  /** Whether no other process can have taken the mail up. */
  isHeld(): boolean
  stop(): void
}

/**
 * Renews a claim each third of its lease, until told to stop.
 * @param lease milliseconds
 * @param until when the claim ends, if it is not renewed
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
  // By the clock of `performance`: the other one may be put back.
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
