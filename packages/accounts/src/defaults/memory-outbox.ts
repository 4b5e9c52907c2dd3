import { v7 as uuidv7 } from 'uuid'
import type { MessageQueue, PendingMail, PendingMessage } from '../seams/outbox.js'

interface Waiting {
  id: string
  message: PendingMessage & Partial<Pick<PendingMail, 'heldUntil'>>
  attempts: number
  dueAt: number
  claim: string
}

/** An outbox in this process's memory, for stores without one. Abandoned messages are not kept. */
export function createMemoryOutbox(): MessageQueue & { releaseHeld(): void } {
  let releasedAt: string | undefined
  const byId = new Map<string, Waiting>()

  /** The message of a claim, if it is still the latest one. */
  const claimed = ({ id, claim }: { id: string; claim: string }): Waiting | undefined => {
    const found = byId.get(id)
    return found?.claim === claim ? found : undefined
  }

  function put(messages: readonly Waiting['message'][]): void {
    for (const message of structuredClone(messages)) {
      const id = uuidv7()
      if (message.heldUntil) message.heldUntil = releasedAt ?? message.heldUntil
      byId.set(id, { id, message, attempts: 0, dueAt: Date.now(), claim: '' })
    }
  }

  return {
    add: async (messages) => put(messages),

    async claim({ realms, now, until, limit }) {
      const due = [...byId.values()].filter(
        ({ dueAt, message }) => dueAt <= now.getTime() && realms.includes(message.realm),
      )
      due.sort((a, b) => a.dueAt - b.dueAt)
      return inTurn(due, realms, limit).map((each) => {
        each.claim = uuidv7()
        each.dueAt = until.getTime()
        each.attempts += 1
        const { id, claim, message, attempts } = each
        return { id, claim, message: structuredClone(message), attempts }
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

    async split(entry, messages) {
      const found = claimed(entry)
      if (found === undefined) return false
      byId.delete(found.id)
      put(messages)
      return true
    },

    /** Makes notices that were held back, or will be, due at once: the process is ending. */
    releaseHeld() {
      releasedAt = new Date().toISOString()
      for (const waiting of byId.values()) {
        if (!waiting.message.heldUntil) continue
        waiting.message.heldUntil = releasedAt
        // One that is being delivered is claimed.
        if (waiting.claim === '') waiting.dueAt = Date.now()
      }
    },

    async count(realm) {
      let waiting = 0
      for (const { message } of byId.values()) waiting += Number(message.realm === (realm ?? message.realm))
      return { waiting, dead: 0 }
    },

    async oldestDue(realm) {
      let oldest = Number.POSITIVE_INFINITY
      for (const { message, dueAt } of byId.values())
        if (message.realm === (realm ?? message.realm)) oldest = Math.min(oldest, dueAt)
      return oldest === Number.POSITIVE_INFINITY ? null : new Date(oldest)
    },
  }
}

/** One of each realm in turn, until there are enough or no more. */
function inTurn(due: readonly Waiting[], realms: readonly string[], limit: number): Waiting[] {
  const queues = realms.map((realm) => due.filter(({ message }) => message.realm === realm).slice(0, limit))
  const turns = Math.max(...queues.map(({ length }) => length))
  return Array.from({ length: turns })
    .flatMap((_, turn) => queues.flatMap((queue) => queue.slice(turn, turn + 1)))
    .slice(0, limit)
}
