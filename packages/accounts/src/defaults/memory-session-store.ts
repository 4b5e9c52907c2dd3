import { setImmediate as nextTurn } from 'node:timers/promises'
import { assertInTime } from '../seams/call-deadline.js'
import type { Session, SessionState, SessionStore } from '../seams/session-store.js'
import { assertText, InvalidArgumentError } from '../seams/store-errors.js'

/** Sessions that `deleteExpired` checks before other work gets its turn: some milliseconds. */
const portion = 10_000

/**
 * A session store in this process' memory: for tests and trying out. A restart logs everyone out, and a session
 * is known to one process only. Expired sessions are never returned; `deleteExpired` frees their memory.
 *
 * @throws InvalidArgumentError from its methods, as `SessionStore` says; never UnavailableError
 */
export function createMemorySessionStore(): SessionStore {
  const byId = new Map<string, Session>()
  const byUser = new Map<string, Set<Session>>()

  const isLive = (session: Session) => session.expiresAt.getTime() > Date.now()

  function live(id: string): Session | undefined {
    const session = byId.get(id)
    return session !== undefined && isLive(session) ? session : undefined
  }

  function sessionsOf(userId: string): Session[] {
    return [...(byUser.get(userId) ?? [])]
  }

  function remove(session: Session): void {
    byId.delete(session.id)
    const sessions = byUser.get(session.userId)
    sessions?.delete(session)
    if (sessions?.size === 0) byUser.delete(session.userId)
  }

  return {
    async create(session) {
      assertInTime()
      assertText('id', session.id)
      assertText('userId', session.userId)
      // Replacing another session would give its cookie's owner this one.
      if (byId.has(session.id)) throw new InvalidArgumentError('id is in use')
      const kept = copy(session)
      byId.set(kept.id, kept)
      const sessions = (byUser.get(kept.userId) ?? new Set()).add(kept)
      byUser.set(kept.userId, sessions)
      return sessions.size
    },

    async find(id) {
      assertText('id', id)
      const session = live(id)
      return session === undefined ? null : copy(session)
    },

    async touch(id, seen) {
      assertInTime()
      assertText('id', id)
      const session = live(id)
      if (session === undefined) return false
      session.lastSeenAt = new Date(seen.lastSeenAt)
      session.expiresAt = new Date(seen.expiresAt)
      return true
    },

    async change(id, from, changes) {
      assertInTime()
      assertText('id', id)
      const session = live(id)
      if (session === undefined || !isAs(session, from)) return false
      const entries = Object.entries(changes).filter(([, value]) => value !== undefined)
      const { kind, userId, createdAt } = session
      const changed = { ...session, ...Object.fromEntries(entries), id, kind, userId, createdAt }
      Object.assign(session, copy(changed))
      return true
    },

    async delete(id) {
      assertInTime()
      assertText('id', id)
      const session = byId.get(id)
      if (session === undefined) return false
      remove(session)
      return true
    },

    async listByUser(userId) {
      assertText('userId', userId)
      const sessions = sessionsOf(userId).filter(isLive)
      return sessions.sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime()).map(copy)
    },

    async deleteByUser(userId, exceptId) {
      assertInTime()
      assertText('userId', userId)
      const ended = sessionsOf(userId).filter((session) => session.id !== exceptId)
      for (const session of ended) remove(session)
      return ended.length
    },

    async deleteExpired(now) {
      let seen = 0
      let removed = 0
      for (const session of byId.values()) {
        seen += 1
        if (session.expiresAt < now) {
          remove(session)
          removed += 1
        }
        if (seen % portion === 0) await nextTurn()
      }
      return removed
    },
  }
}

function isAs(session: Session, from: SessionState): boolean {
  return (
    session.generation === from.generation &&
    session.seenGeneration === from.seenGeneration &&
    session.confirmation === from.confirmation
  )
}

/** The result of structuredClone in a tenth of its time: only these parts of a session can be changed from outside. */
function copy(session: Session): Session {
  return {
    ...session,
    createdAt: new Date(session.createdAt),
    lastSeenAt: new Date(session.lastSeenAt),
    expiresAt: new Date(session.expiresAt),
    details: session.details && { ...session.details },
    methods: session.methods && [...session.methods],
    confirmedAt: session.confirmedAt && new Date(session.confirmedAt),
    priorConfirmedAt: session.priorConfirmedAt && new Date(session.priorConfirmedAt),
    settlesAt: session.settlesAt && new Date(session.settlesAt),
  }
}
