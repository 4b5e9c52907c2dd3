import { createTableInvitationStore } from '@fastify-accounts/table-stores'
import { and, asc, eq, gt, inArray, lt, or } from 'drizzle-orm'
import type { InvitationStore, UserStore } from 'fastify-accounts'
import { countOf, type Database, type Transaction } from './database.js'
import { accountsInvitations as invitations } from './tables.js'
import { equals } from './where.js'

export function createInvitationStore({ db, transaction }: Database, userStore: UserStore): InvitationStore {
  const { createdAt, id, emailKey, expiresAt } = invitations
  return createTableInvitationStore<Transaction>({
    transaction,
    userStore,
    insert: (tx, row) => tx.insert(invitations).values(row),
    find: async (key, on: Pick<Transaction, 'select'> = db) =>
      (await on.select().from(invitations).where(eq(id, key)))[0],
    listByEmail: (key) => db.select().from(invitations).where(eq(emailKey, key)),
    page: ({ after, limit, ...same }) =>
      db
        .select()
        .from(invitations)
        .where(
          and(
            equals(invitations, same),
            after &&
              or(gt(createdAt, after.createdAt), and(eq(createdAt, after.createdAt), gt(id, after.id))),
          ),
        )
        .orderBy(asc(createdAt), asc(id))
        .limit(limit),
    compareAndSwap: async (tx, expected, changes) =>
      countOf(await tx.update(invitations).set(changes).where(equals(invitations, expected))),
    remove: async (tx, expected) =>
      countOf(await tx.delete(invitations).where(equals(invitations, expected))),
    async removeExpired(tx, before, limit) {
      const expired = await tx.select({ id }).from(invitations).where(lt(expiresAt, before)).limit(limit)
      const ids = expired.map((each) => each.id)
      return ids.length === 0 ? 0 : countOf(await tx.delete(invitations).where(inArray(id, ids)))
    },
  })
}
