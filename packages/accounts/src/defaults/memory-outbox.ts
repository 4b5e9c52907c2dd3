import { v7 as uuidv7 } from 'uuid'
import type { MailQueue, PendingMail } from '../seams/outbox.js'

interface Waiting {
  id: string
  mail: PendingMail
  attempts: number
  postedAt: number
  dueAt: number
  claim: string
}

/** An outbox in this process's memory, for stores without one. Abandoned emails are not kept. */
interface MemoryOutbox extends MailQueue {
  /** Makes notices that were held back, or will be, due at once: the process is ending. */
  releaseHeld(): void
}

export function createMemoryOutbox(): MemoryOutbox {
  let releasedAt: string | undefined
  const byId = new Map<string, Waiting>()

  /** The email of a claim, if it is still the latest one. */
  const claimed = ({ id, claim }: { id: string; claim: string }): Waiting | undefined => {
    const found = byId.get(id)
    return found?.claim === claim ? found : undefined
  }

  return {
    async add(mails) {
      for (const mail of structuredClone(mails)) {
        const id = uuidv7()
        if (mail.heldUntil) mail.heldUntil = releasedAt ?? mail.heldUntil
        byId.set(id, { id, mail, attempts: 0, postedAt: Date.now(), dueAt: 0, claim: '' })
      }
    },

    // Every mount has its own outbox here, so all its emails are of its realm.
    async claim({ now, until, limit }) {
      const due = [...byId.values()].filter(({ dueAt }) => dueAt <= now.getTime())
      due.sort((a, b) => a.dueAt - b.dueAt)
      return due.slice(0, limit).map((each) => {
        each.claim = uuidv7()
        each.dueAt = until.getTime()
        each.attempts += 1
        const { id, claim, mail, attempts } = each
        return { id, claim, mail: structuredClone(mail), attempts }
      })
    },

    async renew(entry, until) {
      const found = claimed(entry)
      if (found !== undefined) found.dueAt = until.getTime()
      return found !== undefined
    },

    async postpone(entry, { dueAt, attempts }) {
      const found = claimed(entry)
      if (found === undefined) return false
      if (dueAt === null) return byId.delete(found.id)
      Object.assign(found, { dueAt: dueAt.getTime(), attempts, claim: '' })
      return true
    },

    async remove(entry) {
      const found = claimed(entry)
      return found !== undefined && byId.delete(found.id)
    },

    releaseHeld() {
      releasedAt = new Date().toISOString()
      for (const waiting of byId.values()) {
        if (!waiting.mail.heldUntil) continue
        waiting.mail.heldUntil = releasedAt
        // One that is being delivered is claimed.
        if (waiting.claim === '') waiting.dueAt = 0
      }
    },

    count: async () => ({ waiting: byId.size, dead: 0 }),

    async oldestDue() {
      if (byId.size === 0) return null
      let oldest = Number.POSITIVE_INFINITY
      for (const { postedAt, dueAt } of byId.values()) oldest = Math.min(oldest, Math.max(postedAt, dueAt))
      return new Date(oldest)
    },
  }
}
