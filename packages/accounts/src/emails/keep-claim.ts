import type { MailQueue, OutboxEntry } from '../seams/outbox.js'
import type { OutboxClock } from './outbox-clock.js'

/** A claim on an email, renewed while the email is being handled. */
export interface KeptClaim {
  /** Whether no other process can have claimed the email. */
  isHeld(): boolean
  stop(): void
}

/**
 * Renews a claim after each third of its lease, until stopped.
 * @param lease milliseconds
 * @param claimed before it was claimed, by the clock of `performance`, because `Date` may be set back
 */
export function keepClaim({
  outbox,
  clock,
  entry,
  lease,
  claimed,
  onTrouble,
}: {
  outbox: Pick<MailQueue, 'renew'>
  clock: Pick<OutboxClock, 'now'>
  entry: OutboxEntry
  lease: number
  claimed: number
  onTrouble(error: unknown): void
}): KeptClaim {
  let end = claimed + lease
  let isStopped = false
  let next: NodeJS.Timeout | undefined

  function renewLater(): void {
    if (!isStopped) next = setTimeout(renew, lease / 3).unref()
  }

  async function renew(): Promise<void> {
    const asked = performance.now()
    try {
      const isOurs = await outbox.renew(entry, new Date(clock.now() + lease))
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
