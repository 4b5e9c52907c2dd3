import {
  createMemorySessionStore,
  createMemoryUserStore,
  type SessionChanges,
  type SessionStore,
  type UpdateWithSessions,
} from 'fastify-accounts'

type Changed = Pick<NonNullable<Awaited<ReturnType<UpdateWithSessions>>>, 'isChanged' | 'count'>

/** Applies the session changes that come with a change of a user. */
export async function changeSessions(
  store: SessionStore,
  userId: string,
  { create, change, deleteOthers }: SessionChanges,
): Promise<Changed> {
  const isOwn = change !== undefined && (await store.find(change.id))?.userId === userId
  const isChanged = isOwn && (await store.change(change.id, change.from, change.changes))
  if (deleteOthers) await store.deleteByUser(userId, change?.id)
  return { isChanged, count: create && (await store.create(create)) }
}

/** In-memory stores that claim to share a database, and record the writes they receive. */
export function oneDatabase() {
  const users = createMemoryUserStore()
  const sessions = createMemorySessionStore()
  const writes: string[] = []
  const noted = <Store extends object>(store: Store, names: (keyof Store & string)[]): Store => {
    const methods = { ...store } as Record<string, (...args: unknown[]) => unknown>
    for (const name of names) {
      const method = methods[name]
      methods[name] = (...args) => {
        writes.push(name)
        return method?.(...args)
      }
    }
    return methods as Store
  }
  const notedUsers = noted(users, ['create', 'update', 'delete'])
  const withUsers = {
    users: notedUsers,
    async find(id: string) {
      const session = await sessions.find(id)
      return session && { session, user: await users.findById(session.userId) }
    },
    update: (async (id, changes, expectedVersion, _messages, given) => {
      writes.push('both')
      const user = await users.update(id, changes, expectedVersion)
      return user && { user, ...(await changeSessions(sessions, id, given)) }
    }) satisfies UpdateWithSessions as UpdateWithSessions,
  }
  const notedSessions = noted(sessions, ['create', 'touch', 'change', 'delete', 'deleteByUser'])
  return { users: notedUsers, sessions: { ...notedSessions, withUsers }, writes }
}
