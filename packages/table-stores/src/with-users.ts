import { assertText, type SessionStore, type UpdateWithSessions, type UserStore } from 'fastify-accounts'
import type { Run } from './calls.js'
import { toSession, toSessionColumns, toSessionRow } from './session-row.js'
import type { SessionTable } from './session-table.js'
import { isLive, type SessionWrites } from './session-writes.js'
import { originOf } from './user-origin.js'
import { toVisitor } from './user-row.js'

type WithUsers = NonNullable<SessionStore['withUsers']>
type Both = Awaited<ReturnType<WithUsers['find']>>

/** What a session store can do that has its users in the same database. */
export function createWithUsers<Tx>(
  table: SessionTable<Tx>,
  users: UserStore,
  writes: SessionWrites<Tx>,
  run: Run<Tx>,
): WithUsers {
  const origin = originOf(users, table.transaction)

  async function findInTurn(id: string) {
    const session = await table.find(id)
    return session && { session, user: await origin.findRow(toSession(session).userId) }
  }

  async function find(id: string): Promise<Both> {
    const found = await (table.findWithUser ? table.findWithUser(id) : findInTurn(id))
    const session = found ? toSession(found.session) : null
    if (session === null || session.id !== id || !isLive(session)) return null
    const user = found?.user ? toVisitor(found.user) : null
    return { session, user: user?.id === session.userId ? user : null }
  }

  const update: UpdateWithSessions = async (id, changes, expectedVersion, messages, sessions) => {
    const { create, change, deleteOthers = false } = sessions
    const row = create && toSessionRow(create)
    const swap = change && { ...change, userId: id, columns: toSessionColumns(change.changes) }
    if (swap !== undefined) assertText('change.id', swap.id)
    return run(async (write, deadline) => {
      let isChanged = false
      const update = { id, changes, expectedVersion, messages, deadline }
      const user = await origin.update(write, update, async (tx) => {
        isChanged = swap !== undefined && (await writes.change(tx, swap))
        if (deleteOthers) await table.removeByUser(tx, id, swap?.id ?? '')
        if (row) await writes.insert(tx, row)
      })
      return user && { user, isChanged, count: undefined }
    })
  }

  return {
    users,
    async find(id) {
      assertText('id', id)
      return run(() => find(id))
    },
    update,
  }
}
