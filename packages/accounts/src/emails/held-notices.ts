import type { MailQueue, PendingMail } from '../seams/outbox.js'

/** Holds notices back: one is kept, and replaces those after it. */
export interface HeldNotices {
  /** How many wait in memory; a lasting outbox stores its own. */
  size(): number
  hold(mail: PendingMail, until: Date): Promise<void>
  /** Puts those in memory into the outbox, due now, because the process is ending. */
  release(): Promise<void>
}

/** The longest delay of a timer. */
const longestTimer = 2 ** 31 - 1

/**
 * @param deps.isLasting whether the outbox outlives the process; if not, a timer keeps each
 * @param deps.onDue called once a notice from memory is in the outbox
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
