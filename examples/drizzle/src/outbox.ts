import type { OutboxTable } from '@fastify-accounts/table-stores'
import { and, asc, eq, gt, isNotNull, isNull, lte } from 'drizzle-orm'
import { countOf, type Database, type Transaction } from './database.js'
import { accountsOutbox as outbox } from './tables.js'
import { equals } from './where.js'

/** Emails that wait, in the transaction of the change they are about. */
export function outboxTable(db: Database['db']): OutboxTable<Transaction> {
  const ofRealm = (realm: string | undefined) => (realm === undefined ? undefined : eq(outbox.realm, realm))
  return {
    insert: (tx, rows) => tx.insert(outbox).values([...rows]),
    find: async (id) => (await db.select().from(outbox).where(eq(outbox.id, id)))[0],
    due: ({ realm, by, limit }) =>
      db
        .select()
        .from(outbox)
        .where(and(ofRealm(realm), lte(outbox.dueAt, by)))
        .orderBy(asc(outbox.dueAt), asc(outbox.id))
        .limit(limit),
    dead: ({ after = '', limit }) =>
      db
        .select()
        .from(outbox)
        .where(and(isNull(outbox.dueAt), gt(outbox.id, after)))
        .orderBy(asc(outbox.id))
        .limit(limit),
    count: ({ realm, isDead }) =>
      db.$count(outbox, and(ofRealm(realm), (isDead ? isNull : isNotNull)(outbox.dueAt))),
    compareAndSwap: async (tx, expected, changes) =>
      countOf(
        await tx
          .update(outbox)
          .set({ id: expected.id, ...changes })
          .where(equals(outbox, expected)),
      ),
    remove: async (tx, expected) => countOf(await tx.delete(outbox).where(equals(outbox, expected))),
  }
}
