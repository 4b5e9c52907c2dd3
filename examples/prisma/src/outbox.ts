import type { OutboxTable } from '@fastify-accounts/table-stores'
import type { Prisma, PrismaClient } from './generated/client.js'

/** Emails that wait, in the transaction of the change they are about. */
export function outboxTable({ accountsMessage }: PrismaClient): OutboxTable<Prisma.TransactionClient> {
  return {
    insert: (tx, rows) => tx.accountsMessage.createMany({ data: [...rows] }),
    find: (id) => accountsMessage.findUnique({ where: { id } }),
    due: ({ realm, by, limit }) =>
      accountsMessage.findMany({
        where: { realm, dueAt: { lte: by } },
        orderBy: [{ dueAt: 'asc' }, { id: 'asc' }],
        take: limit,
      }),
    dead: ({ after = '', limit }) =>
      accountsMessage.findMany({
        where: { dueAt: null, id: { gt: after } },
        orderBy: { id: 'asc' },
        take: limit,
      }),
    count: ({ realm, isDead }) =>
      accountsMessage.count({ where: { realm, dueAt: isDead ? null : { not: null } } }),
    compareAndSwap: async (tx, where, data) => (await tx.accountsMessage.updateMany({ where, data })).count,
    remove: async (tx, where) => (await tx.accountsMessage.deleteMany({ where })).count,
  }
}
