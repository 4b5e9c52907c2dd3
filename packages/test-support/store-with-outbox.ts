import { createMemoryOutbox } from '../accounts/src/defaults/memory-outbox.js'
import { createMemoryUserStore } from '../accounts/src/defaults/memory-user-store.js'
import { assertInTime } from '../accounts/src/seams/call-deadline.js'
import type {
  DeadMessage,
  MessageQueue,
  Outbox,
  OutboxEntry,
  PendingMessage,
} from '../accounts/src/seams/outbox.js'
import { assertText, InvalidArgumentError } from '../accounts/src/seams/store-errors.js'
import type { ListingUserStore } from '../accounts/src/seams/user-store.js'

export type StoreWithOutbox = ListingUserStore & {
  outbox: Required<Outbox>
  /** Makes a message that waits unreadable. */
  spoil(id: string): Promise<void>
}

/**
 * The user store in memory, and the outbox in memory with what operators ask of one, so that both can be tried by the
 * suite. It checks messages before it changes a user; nothing can come between the two, since neither waits.
 */
export function createStoreWithOutbox(): StoreWithOutbox {
  const users = createMemoryUserStore()
  const unreadable = new Set<string>()
  const outbox = withDeadLetters(createMemoryOutbox(), unreadable)
  return {
    ...users,
    outbox,
    spoil: async (id) => void unreadable.add(id),
    async create(user, messages = []) {
      assertInTime()
      assertStorable(messages)
      const created = await users.create(user)
      await outbox.add(messages.map((message) => ({ ...message, userId: created.id })))
      return created
    },
    async update(id, changes, expectedVersion, messages = []) {
      assertInTime()
      assertStorable(messages)
      const changed = await users.update(id, changes, expectedVersion)
      if (changed !== null) await outbox.add(messages)
      return changed
    },
    async delete(id, messages = [], successor, expectedVersion) {
      assertInTime()
      assertStorable(messages)
      const isDeleted = await users.delete(id, [], successor, expectedVersion)
      if (isDeleted) await outbox.add(messages)
      return isDeleted
    },
  }
}

/** A dead letter is a message that this keeps claimed. */
function withDeadLetters(queue: MessageQueue, unreadable: ReadonlySet<string>): Required<Outbox> {
  const never = new Date(8.64e15)
  const dead = new Map<string, { entry: OutboxEntry; letter: DeadMessage }>()
  /** Entries as last claimed, and when they were first: the time in their ids only grows, even if a test's clock goes back. */
  const claimed = new Map<string, { entry: OutboxEntry; postedAt: Date }>()

  /** Whether a claim can't be ended: the message is a dead letter. */
  function isOver({ id, claim }: Pick<OutboxEntry, 'id' | 'claim'>): boolean {
    assertInTime()
    assertText('id', id)
    assertText('claim', claim)
    return dead.has(id)
  }

  function take(id: string): OutboxEntry | undefined {
    assertText('id', id)
    const found = dead.get(id)?.entry
    dead.delete(id)
    return found
  }

  return {
    async add(messages) {
      assertInTime()
      assertStorable(messages)
      return queue.add(messages)
    },
    async claim(at) {
      assertInTime()
      if (at.limit < 1) throw new InvalidArgumentError('limit must be at least 1')
      const entries = await queue.claim(at)
      for (const entry of entries) {
        const { postedAt = new Date() } = claimed.get(entry.id) ?? {}
        claimed.set(entry.id, { entry: structuredClone(entry), postedAt })
      }
      for (const entry of entries.filter(({ id }) => unreadable.has(id))) {
        const { id, attempts } = entry
        const { postedAt = new Date() } = claimed.get(id) ?? {}
        await queue.renew(entry, never)
        dead.set(id, { entry, letter: { id, message: null, postedAt, attempts, error: 'unreadable' } })
      }
      return entries.filter(({ id }) => !unreadable.has(id))
    },
    async postpone(entry, then) {
      if (isOver(entry)) return false
      if (then.dueAt !== null) return queue.postpone(entry, then)
      const known = claimed.get(entry.id)
      if (!(await queue.renew(entry, never)) || known === undefined) return false
      const { id, message } = known.entry
      const { attempts, error } = then
      dead.set(id, {
        entry: known.entry,
        letter: { id, message, attempts, error, postedAt: known.postedAt },
      })
      return true
    },
    renew: async (entry, until) => !isOver(entry) && queue.renew(entry, until),
    remove: async (entry) => !isOver(entry) && queue.remove(entry),
    async split(entry, messages) {
      assertStorable(messages)
      return !isOver(entry) && queue.split(entry, messages)
    },
    async count(realm) {
      const { waiting } = await queue.count(realm)
      const letters = [...dead.values()].filter(
        ({ letter }) => realm === undefined || letter.message?.realm === realm,
      )
      return { waiting: waiting - letters.length, dead: letters.length }
    },
    async realms() {
      return (await queue.realms?.()) ?? []
    },
    async oldestDue(realm) {
      const oldest = (await queue.oldestDue?.(realm)) ?? never
      return oldest < never ? oldest : null
    },
    async listDead({ limit, after = '' }) {
      const letters = [...dead.values()].map(({ letter }) => letter).filter(({ id }) => id > after)
      return letters.toSorted((one, other) => (one.id < other.id ? -1 : 1)).slice(0, limit)
    },
    async retry(id, now) {
      const entry = take(id)
      return entry !== undefined && queue.postpone(entry, { dueAt: now, attempts: 0, error: '' })
    },
    async discard(id) {
      const entry = take(id)
      return entry !== undefined && queue.remove(entry)
    },
  }
}

/** @throws InvalidArgumentError, TypeError if one of the messages can't be stored */
export function assertStorable(messages: readonly PendingMessage[]): void {
  for (const message of messages) {
    assertText('realm', message.realm)
    JSON.stringify(message)
  }
}
