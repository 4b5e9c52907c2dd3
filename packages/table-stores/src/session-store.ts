import { assertText, closable, type SessionStore } from 'fastify-accounts'
import { createRun, LostRace } from './calls.js'
import { checkTable } from './check-table.js'
import { removeInPortions } from './remove-in-portions.js'
import { countOf, isAny } from './row-count.js'
import { toSession, toSessionColumns, toSessionRow } from './session-row.js'
import type { SessionTable } from './session-table.js'
import { isLive, sessionWrites } from './session-writes.js'
import { time } from './values.js'
import { createWithUsers } from './with-users.js'

/**
 * A session store on a table that `table` says how to query.
 *
 * The methods throw what the seam says; `UnavailableError` has the error of a function of yours as its `cause`.
 * @throws TypeError if a function is missing, or `userStore` has another `transaction`
 */
export function createTableSessionStore<Tx>(table: SessionTable<Tx>): SessionStore {
  checkTable(table, 'createTableSessionStore', functions)
  const run = createRun(table)
  const writes = sessionWrites(table)
  const { userStore } = table
  const now = table.now?.bind(table) ?? userStore?.now

  return closable<SessionStore>(
    {
      async create(session) {
        const row = toSessionRow(session)
        return run((write) =>
          write(async (tx) => {
            await writes.insert(tx, row)
            return undefined
          }),
        )
      },

      async find(id) {
        assertText('id', id)
        return run(() => writes.findLive(id))
      },

      async touch(id, { lastSeenAt, expiresAt }) {
        assertText('id', id)
        const seen = {
          lastSeenAt: time.write('lastSeenAt', lastSeenAt),
          expiresAt: time.write('expiresAt', expiresAt),
        }
        return run(async (write) => {
          const session = await writes.findLive(id)
          if (session === null) return false
          if (await write((tx) => writes.swap(tx, session, seen))) return true
          throw new LostRace('the session was changed')
        })
      },

      async change(id, from, changes) {
        assertText('id', id)
        const columns = toSessionColumns(changes)
        return run((write) => write((tx) => writes.change(tx, { id, from, columns })))
      },

      async delete(id) {
        assertText('id', id)
        return run((write) => write(async (tx) => isAny(await table.remove(tx, id))))
      },

      async listByUser(userId) {
        assertText('userId', userId)
        return run(async () => {
          const sessions = (await table.listByUser(userId)).map(toSession).filter(isLive)
          return sessions.sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime())
        })
      },

      async deleteByUser(userId, exceptId = '') {
        assertText('userId', userId)
        return run((write) => write(async (tx) => countOf(await table.removeByUser(tx, userId, exceptId))))
      },

      async deleteExpired(now) {
        const before = time.write('now', now)
        return run((write) => removeInPortions(write, (tx, most) => table.removeExpired(tx, before, most)))
      },

      ...(now && { now: () => run(() => now()) }),
      ...(userStore && { withUsers: createWithUsers(table, userStore, writes, run) }),
    },
    () => table.close?.(),
  )
}

const functions = {
  required: [
    'transaction',
    'insert',
    'find',
    'compareAndSwap',
    'remove',
    'listByUser',
    'removeByUser',
    'removeExpired',
  ],
  optional: ['isUniqueViolation', 'isRetryable', 'findWithUser', 'now', 'close'],
}
