import { createTableSessionStore } from '@fastify-accounts/table-stores'
import { and, eq, inArray, lt, ne } from 'drizzle-orm'
import type { SessionStore, UserStore } from 'fastify-accounts'
import { countOf, type Database, type Transaction } from './database.js'
import { accountsSessions as sessions, accountsUsers as users } from './tables.js'
import { equals } from './where.js'

export function createSessionStore({ db, transaction }: Database, userStore: UserStore): SessionStore {
  return createTableSessionStore<Transaction>({
    transaction,
    userStore,
    insert: (tx, row) => tx.insert(sessions).values(row),
    find: async (id, on: Pick<Transaction, 'select'> = db) =>
      (await on.select().from(sessions).where(eq(sessions.id, id)))[0],
    findWithUser: async (id) =>
      (
        await db
          .select({ session: sessions, user: users })
          .from(sessions)
          .leftJoin(users, eq(users.id, sessions.userId))
          .where(eq(sessions.id, id))
      )[0],
    compareAndSwap: async (tx, expected, changes) =>
      countOf(
        await tx
          .update(sessions)
          .set({ id: expected.id, ...changes })
          .where(equals(sessions, expected)),
      ),
    remove: async (tx, id) => countOf(await tx.delete(sessions).where(eq(sessions.id, id))),
    listByUser: (userId) => db.select().from(sessions).where(eq(sessions.userId, userId)),
    removeByUser: async (tx, userId, keptId) =>
      countOf(await tx.delete(sessions).where(and(eq(sessions.userId, userId), ne(sessions.id, keptId)))),
    async removeExpired(tx, before, limit) {
      const expired = await tx
        .select({ id: sessions.id })
        .from(sessions)
        .where(lt(sessions.expiresAt, before))
        .limit(limit)
      const ids = expired.map(({ id }) => id)
      return ids.length === 0 ? 0 : countOf(await tx.delete(sessions).where(inArray(sessions.id, ids)))
    },
  })
}
