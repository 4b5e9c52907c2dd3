import { createTableUserStore } from '@fastify-accounts/table-stores'
import { eq } from 'drizzle-orm'
import type { Alongside, UserStore } from 'fastify-accounts'
import { countOf, type Database, type Transaction } from './database.js'
import { outboxTable } from './outbox.js'
import { accountsIdentities as identities, accountsUsers as users } from './tables.js'
import { userPage } from './user-page.js'
import { equals } from './where.js'

export function createUserStore(
  { db, transaction, close }: Database,
  alongside?: Alongside<Transaction>,
): UserStore {
  return createTableUserStore<Transaction>({
    transaction,
    close,
    async find(by, key, on: Pick<Transaction, 'select'> = db) {
      if (by !== 'identityKey') return (await on.select().from(users).where(eq(users[by], key)))[0]
      const [found] = await on
        .select({ user: users })
        .from(identities)
        .innerJoin(users, eq(users.id, identities.userId))
        .where(eq(identities.identityKey, key))
      return found?.user
    },
    insert: (tx, row) => tx.insert(users).values(row),
    compareAndSwap: async (tx, expected, changes) =>
      countOf(
        await tx
          .update(users)
          .set({ id: expected.id, ...changes })
          .where(equals(users, expected)),
      ),
    async replaceIdentities(tx, userId, keys) {
      await tx.delete(identities).where(eq(identities.userId, userId))
      if (keys.length > 0)
        await tx.insert(identities).values(keys.map((identityKey) => ({ identityKey, userId })))
    },
    remove: async (tx, id) => countOf(await tx.delete(users).where(eq(users.id, id))),
    page: (query) => userPage(db, query),
    listsBy: ['createdAt', 'usernameKey', 'flags', 'prefix'],
    outbox: outboxTable(db),
    alongside,
  })
}
