import { createTableUserStore } from '@fastify-accounts/table-stores'
import type { Alongside, UserStore } from 'fastify-accounts'
import type { Database } from './database.js'
import type { Prisma } from './generated/client.js'
import { outboxTable } from './outbox.js'
import { pageOf } from './page.js'

type Tx = Prisma.TransactionClient

export function createUserStore({ prisma, transaction }: Database, alongside?: Alongside<Tx>): UserStore {
  return createTableUserStore<Tx>({
    transaction,
    close: () => prisma.$disconnect(),
    async find(by, key, on = prisma) {
      if (by !== 'identityKey') return on.accountsUser.findFirst({ where: { [by]: key } })
      const identity = await on.accountsIdentity.findUnique({
        where: { identityKey: key },
        include: { user: true },
      })
      return identity?.user
    },
    insert: (tx, data) => tx.accountsUser.create({ data }),
    compareAndSwap: async (tx, where, data) => (await tx.accountsUser.updateMany({ where, data })).count,
    async replaceIdentities(tx, userId, keys) {
      await tx.accountsIdentity.deleteMany({ where: { userId } })
      await tx.accountsIdentity.createMany({ data: keys.map((identityKey) => ({ identityKey, userId })) })
    },
    remove: async (tx, id) => (await tx.accountsUser.deleteMany({ where: { id } })).count,
    page: (query) => prisma.accountsUser.findMany(pageOf(query)),
    listsBy: ['createdAt', 'usernameKey', 'flags', 'prefix'],
    outbox: outboxTable(prisma),
    alongside,
  })
}
