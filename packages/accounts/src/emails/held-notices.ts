import type { MailQueue, PendingMail } from '../seams/outbox.js'

/** Keeps notices that are held back, as one that replaces those after it. */
export interface HeldNotices {
  /** How many wait in memory; what lasts waits in the outbox. */
  size(): number
  hold(mail: PendingMail, until: Date): Promise<void>
  /** Puts those in memory into the outbox, due now: there is no later. */
  release(): Promise<void>
}

/** The longest delay that a timer can have. */
const longestTimer = 2 ** 31 - 1

/**
 * @param deps.isLasting whether the outbox outlives the process; else a timer keeps each
 * @param deps.onDue told once a notice from memory is in the outbox
 */
export function createHeldNotices(deps: {
  outbox: Pick<MailQueue, 'add'>
  isLasting: boolean
  onDue(): Promise<void>
}): HeldNotices {
  const { outbox, isLasting, onDue } = deps
  const timers = new Map<PendingMail, NodeJS.Timeout>()

  return {
    size: () => timers.size,
    async hold(mail, until) {
      const later = { ...mail, heldUntil: until.toISOString() }
      if (isLasting) return outbox.add([later])
      const add = async (): Promise<void> => {
        timers.delete(later)
        await outbox.add([later])
        await onDue()
      }
      const delay = Math.min(until.getTime() - Date.now(), longestTimer)
      timers.set(later, setTimeout(add, delay).unref())
    },
    async release() {
      const now = new Date().toISOString()
      for (const [mail, timer] of timers) {
        clearTimeout(timer)
        await outbox.add([{ ...mail, heldUntil: now }])
      }
      timers.clear()
    },
  }
}
