import { createTableSessionStore } from '@fastify-accounts/table-stores'
import type { SessionStore, UserStore } from 'fastify-accounts'
import type { Database } from './database.js'
import type { Prisma } from './generated/client.js'

export function createSessionStore({ prisma, transaction }: Database, userStore: UserStore): SessionStore {
  return createTableSessionStore<Prisma.TransactionClient>({
    transaction,
    userStore,
    insert: (tx, data) => tx.accountsSession.create({ data }),
    find: (id, on = prisma) => on.accountsSession.findUnique({ where: { id } }),
    compareAndSwap: async (tx, where, data) => (await tx.accountsSession.updateMany({ where, data })).count,
    remove: async (tx, id) => (await tx.accountsSession.deleteMany({ where: { id } })).count,
    listByUser: (userId) => prisma.accountsSession.findMany({ where: { userId } }),
    removeByUser: async (tx, userId, keptId) =>
      (await tx.accountsSession.deleteMany({ where: { userId, id: { not: keptId } } })).count,
    async removeExpired(tx, before, limit) {
      const where = { expiresAt: { lt: before } }
      const expired = await tx.accountsSession.findMany({ where, select: { id: true }, take: limit })
      const ids = expired.map(({ id }) => id)
      return (await tx.accountsSession.deleteMany({ where: { id: { in: ids } } })).count
    },
  })
}
