import { changeSessions } from '@fastify-accounts/test-support/one-database'
import {
  assertInTime,
  createMemoryUserStore,
  InvalidArgumentError,
  type SessionStore,
  type UpdateWithSessions,
  type UserStore,
} from 'fastify-accounts'

/** Users in memory next to the sessions, and a combined update. */
export function updatesBy(
  update: (users: UserStore, store: SessionStore) => UpdateWithSessions,
): (store: SessionStore) => Partial<SessionStore> {
  return (store) => {
    const users = createMemoryUserStore()
    const find = async (id: string) => {
      const session = await store.find(id)
      const found = session && (await users.findById(session.userId))
      if (session === null || found === null) return session && { session, user: null }
      const { credentials: _, identityKeys: _keys, notes: _notes, ...user } = found
      return { session, user }
    }
    const both = update(users, store)
    const inTime: UpdateWithSessions = async (...given) => {
      assertInTime()
      return both(...given)
    }
    return { withUsers: { users, find, update: inTime } }
  }
}

/** A correct combined update: what can fail comes first. */
export function updateBoth(users: UserStore, store: SessionStore): UpdateWithSessions {
  return async (id, changes, version, messages, sessions) => {
    const { create } = sessions
    if (create && (await store.find(create.id))) throw new InvalidArgumentError('id is in use')
    const user = await users.update(id, changes, version, messages)
    return user && { user, ...(await changeSessions(store, id, sessions)) }
  }
}
