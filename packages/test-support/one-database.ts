import {
  createMemorySessionStore,
  createMemoryUserStore,
  type SessionChanges,
  type SessionStore,
  type UpdateWithSessions,
} from 'fastify-accounts'

type Made = Pick<NonNullable<Awaited<ReturnType<UpdateWithSessions>>>, 'isChanged' | 'isCreated' | 'count'>

/** Applies the session changes that come with a change of a user. */
export async function changeSessions(
  store: SessionStore,
  userId: string,
  { create, change, replaces, deleteOthers }: SessionChanges,
): Promise<Made> {
  const isOwn = async (id: string) => (await store.find(id))?.userId === userId
  const isChanged =
    change !== undefined &&
    (await isOwn(change.id)) &&
    (await store.change?.(change.id, change.fromGeneration, change.changes)) === true
  const isThere = replaces === undefined || ((await isOwn(replaces)) && (await store.delete(replaces)))
  if (deleteOthers) await store.deleteByUser(userId, isChanged ? change.id : undefined)
  if (create === undefined || !isThere || (change !== undefined && !isChanged))
    return { isChanged, isCreated: false, count: undefined }
  return { isChanged, isCreated: true, count: await store.create(create) }
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
