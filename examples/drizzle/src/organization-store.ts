import { createTableOrganizationStore } from '@fastify-accounts/table-stores/organizations'
import { and, asc, eq, gt, inArray, or } from 'drizzle-orm'
import type { UserStore } from 'fastify-accounts'
import { countOf, type Database, type Transaction } from './database.js'
import { accountsOrganizationMembers as members, accountsOrganizations as organizations } from './tables.js'
import { equals } from './where.js'

export function createOrganizationStore({ db, transaction }: Database, userStore: UserStore) {
  const { createdAt, id } = organizations
  const { organizationId, since, userId } = members
  return createTableOrganizationStore<Transaction>({
    transaction,
    userStore,
    insert: (tx, row) => tx.insert(organizations).values(row),
    find: (by, keys, on: Pick<Transaction, 'select'> = db) =>
      on
        .select()
        .from(organizations)
        .where(inArray(organizations[by], [...keys])),
    page: ({ after, limit }) =>
      db
        .select()
        .from(organizations)
        .where(
          after && or(gt(createdAt, after.createdAt), and(eq(createdAt, after.createdAt), gt(id, after.id))),
        )
        .orderBy(asc(createdAt), asc(id))
        .limit(limit),
    compareAndSwap: async (tx, expected, changes) =>
      countOf(await tx.update(organizations).set(changes).where(equals(organizations, expected))),
    remove: async (tx, expected) =>
      countOf(await tx.delete(organizations).where(equals(organizations, expected))),
    insertMember: (tx, row) => tx.insert(members).values(row),
    findMember: async (key, on: Pick<Transaction, 'select'> = db) =>
      (await on.select().from(members).where(equals(members, key)))[0],
    changeMember: (tx, key, changes) => tx.update(members).set(changes).where(equals(members, key)),
    removeMembers: (tx, key) => tx.delete(members).where(equals(members, key)),
    pageOfMembers: ({ after, limit, ...same }) =>
      db
        .select()
        .from(members)
        .where(
          and(
            equals(members, same),
            after && or(gt(since, after.since), and(eq(since, after.since), gt(userId, after.userId))),
          ),
        )
        .orderBy(asc(since), asc(userId))
        .limit(limit),
    pageOfUser: ({ after, limit, ...same }) =>
      db
        .select()
        .from(members)
        .where(
          and(
            equals(members, same),
            after &&
              or(
                gt(since, after.since),
                and(eq(since, after.since), gt(organizationId, after.organizationId)),
              ),
          ),
        )
        .orderBy(asc(since), asc(organizationId))
        .limit(limit),
    countOfUser: (user) => db.$count(members, eq(userId, user)),
    findWithMember: async (by, key, user) =>
      (
        await db
          .select({ organization: organizations, membership: members })
          .from(organizations)
          .leftJoin(members, and(eq(organizationId, id), eq(userId, user)))
          .where(eq(organizations[by], key))
      )[0],
  })
}
