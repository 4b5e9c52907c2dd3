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
  /** The same, so that many of one realm slow down no other. */
  const byRealm = new Map<string, Set<Waiting>>()
  const allOf = (realm: string | undefined): Iterable<Waiting> =>
    realm === undefined ? byId.values() : (byRealm.get(realm) ?? [])

  /** The message of a claim, if it is still the latest one. */
  const claimed = ({ id, claim }: { id: string; claim: string }): Waiting | undefined => {
    const found = byId.get(id)
    return found?.claim === claim ? found : undefined
  }

  function put(messages: readonly Waiting['message'][]): void {
    for (const message of structuredClone(messages)) {
      const id = uuidv7()
      if (message.heldUntil) message.heldUntil = releasedAt ?? message.heldUntil
      const waiting = { id, message, attempts: 0, dueAt: Date.now(), claim: '' }
      byId.set(id, waiting)
      const line = byRealm.get(message.realm) ?? new Set()
      byRealm.set(message.realm, line.add(waiting))
    }
  }

  function drop(waiting: Waiting): boolean {
    const { realm } = waiting.message
    const line = byRealm.get(realm)
    line?.delete(waiting)
    if (line?.size === 0) byRealm.delete(realm)
    return byId.delete(waiting.id)
  }

  return {
    add: async (messages) => put(messages),

    async claim({ realms, now, until, limit }) {
      const queues = realms.map((realm) =>
        [...allOf(realm)]
          .filter(({ dueAt }) => dueAt <= now.getTime())
          .sort((a, b) => a.dueAt - b.dueAt)
          .slice(0, limit),
      )
      return inTurn(queues, limit).map((each) => {
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
      if (dueAt === null) return drop(found)
      Object.assign(found, { dueAt: dueAt.getTime(), attempts, claim: '' })
      return true
    },

    async remove(entry) {
      const found = claimed(entry)
      return found !== undefined && drop(found)
    },

    async split(entry, messages) {
      const found = claimed(entry)
      if (found === undefined) return false
      drop(found)
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
      const waiting = realm === undefined ? byId.size : (byRealm.get(realm)?.size ?? 0)
      return { waiting, dead: 0 }
    },

    realms: async () => [...byRealm.keys()],

    async oldestDue(realm) {
      let oldest = Number.POSITIVE_INFINITY
      for (const { dueAt } of allOf(realm)) oldest = Math.min(oldest, dueAt)
      return oldest === Number.POSITIVE_INFINITY ? null : new Date(oldest)
    },
  }
}

/** One of each queue in turn, until there are enough or no more. */
function inTurn(queues: readonly (readonly Waiting[])[], limit: number): Waiting[] {
  const turns = Math.max(...queues.map(({ length }) => length))
  return Array.from({ length: turns })
    .flatMap((_, turn) => queues.flatMap((queue) => queue.slice(turn, turn + 1)))
    .slice(0, limit)
}
