import type { Membership, Organization } from '@fastify-accounts/organizations/store'
import { driversHere, type TestDatabase } from '@fastify-accounts/test-support/databases'
import { makeTables, openSql, storesOn } from '@fastify-accounts/test-support/tables/open-tables'
import { type Sql, sqlTables, type Tables } from '@fastify-accounts/test-support/tables/sql-tables'
import { newPendingMail, newUser } from '@fastify-accounts/testing'
import { callBefore, createMemoryUserStore, UnavailableError } from 'fastify-accounts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createTableUserStore } from '../src/index.js'
import { createTableOrganizationStore } from '../src/organizations.js'

const newOrganization = (more: Partial<Organization> = {}): Omit<Organization, 'version'> => ({
  id: 'org_abcdefghijklmnopqrstuv',
  slug: 'acme',
  name: 'Acme',
  fields: { plan: 'free' },
  createdAt: new Date(1_700_000_000_123),
  members: 1,
  owners: 1,
  ...more,
})

const newMembership = (more: Partial<Membership> = {}): Membership => ({
  organizationId: newOrganization().id,
  userId: 'ada',
  roles: ['owner'],
  since: new Date(1_700_000_000_456),
  invitationId: null,
  ...more,
})

/** In one query, as an author with joins writes it. */
const findWithMember =
  (sql: Sql): Tables['organizations']['findWithMember'] =>
  async (by, key, userId) => {
    const columns = ['organizationId', 'userId', 'roles', 'since', 'invitationId']
    const own = columns.map((name) => `m."${name}" AS "m_${name}"`).join(', ')
    const [row] = await sql.rows<Record<string, never>>(
      `SELECT o.*, ${own} FROM organizations o
        LEFT JOIN members m ON m."organizationId" = o.id AND m."userId" = ? WHERE o."${by}" = ?`,
      [userId, key],
    )
    if (row === undefined) return null
    const membership = Object.fromEntries(columns.map((name) => [name, row[`m_${name}`]]))
    return { organization: row, membership: membership.userId === null ? null : membership } as never
  }

describe.each(await driversHere(['libsql', 'pg', 'mysql2']))(
  'organizations on tables: $title',
  ({ name: driver }) => {
    let database: TestDatabase
    let sql: Sql
    let tables: Tables

    beforeEach(async () => {
      database = await makeTables(driver)
      sql = await openSql(database.place)
      tables = sqlTables(sql)
    })
    afterEach(async () => {
      await sql.close()
      await database.drop()
    })

    /** The store with some functions of the table replaced, and the user store. */
    function storesWith(organizations: Partial<Tables['organizations']> = {}) {
      const { users, organizations: store } = storesOn({
        ...tables,
        organizations: { ...tables.organizations, ...organizations },
      })
      return { users, store }
    }
    const [organization, membership] = [newOrganization(), newMembership()]
    const { id } = organization

    test.each(['in three queries', 'in one query'])('a member is found %s', async (way) => {
      const { store } = storesWith(way === 'in one query' ? { findWithMember: findWithMember(sql) } : {})
      await store.create(organization, [membership])
      const stored = { ...organization, version: 1 }
      expect(await store.findFor({ id }, 'ada')).toEqual({ organization: stored, membership })
      expect(await store.findFor({ slug: 'acme' }, 'ada')).toEqual({ organization: stored, membership })
      expect(await store.findFor({ slug: 'acme' }, 'bob')).toEqual({ organization: stored, membership: null })
      expect(await store.findFor({ slug: 'ACME' }, 'ada')).toBeNull()
      expect(await store.findFor({ id: 'acme' }, 'ada')).toBeNull()
    })

    test('what changes between two of the three queries is read again', async () => {
      let reads = 0
      const { store } = storesWith({
        async findMember(key, tx) {
          const found = await tables.organizations.findMember(key, tx)
          reads += 1
          if (reads === 1)
            await storesWith().store.write([
              {
                organizationId: id,
                expectedVersion: 1,
                changes: { members: 0, owners: 0 },
                remove: ['ada'],
              },
            ])
          return found
        },
      })
      await store.create(organization, [membership])
      expect(await store.findFor({ id }, 'ada')).toEqual({
        organization: { ...organization, members: 0, owners: 0, version: 2 },
        membership: null,
      })
      expect(reads).toBe(2)
    })

    test('a membership is changed in place, so rows of the app may refer to it', async () => {
      const { store } = storesWith({
        removeMembers() {
          throw new Error('must not be called')
        },
      })
      await store.create(organization, [membership])
      const changed = newMembership({ roles: ['member', 'admin'], invitationId: 'inv_1' })
      const joined = newMembership({ userId: 'bob', roles: ['member'] })
      const put = { organizationId: id, expectedVersion: 1, changes: { members: 2 }, put: [changed, joined] }
      expect(await store.write([put])).toBe('written')
      expect(await store.listMembers(id, { limit: 9 })).toEqual([changed, joined])
      // Those who aren't members are passed over.
      expect(await store.write([{ organizationId: id, expectedVersion: 2, remove: ['carl'] }])).toBe(
        'written',
      )
    })

    test('events are stored if and only if the change is', async () => {
      const { store, users } = storesWith()
      // The plugin compares them.
      expect(store.outbox).toBe(users.outbox)
      expect(store.withUsers?.users).toBe(users)
      const waiting = async () => (await users.outbox?.count())?.waiting
      expect(await store.create(organization, [membership], [newPendingMail()])).toBe(true)
      expect(await waiting()).toBe(1)
      const other = newOrganization({ id: 'org_other' })
      expect(await store.create(other, [], [newPendingMail()])).toBe(false)
      const stale = { organizationId: id, expectedVersion: 2, remove: ['ada'] }
      expect(await store.write([stale], [newPendingMail()])).toBe('changed')
      expect(await waiting()).toBe(1)
      expect(await store.write([{ ...stale, expectedVersion: 1 }], [newPendingMail()])).toBe('written')
      expect(await waiting()).toBe(2)
    })

    test('a user goes together with their memberships, or not at all', async () => {
      const { store, users } = storesWith()
      const user = await users.create(newUser())
      const theirs = newMembership({ userId: user.id })
      const other = newOrganization({ id: 'org_other', slug: 'other', members: 2 })
      await store.create(organization, [theirs])
      await store.create(other, [
        { ...theirs, organizationId: other.id },
        newMembership({ organizationId: other.id }),
      ])
      const writes = [
        { organizationId: id, expectedVersion: 1, isDeletion: true },
        { organizationId: other.id, expectedVersion: 1, changes: { members: 1 }, remove: [user.id] },
      ]
      const remove = async (writes: Parameters<typeof store.write>[0], version = user.version) =>
        store.withUsers?.delete(writes, user.id, [newPendingMail()], undefined, version)
      const all = async () => [
        (await store.list({ limit: 9 })).length,
        await store.countOfUser(user.id),
        (await users.findById(user.id)) !== null,
        (await users.outbox?.count())?.waiting,
      ]
      expect([await remove(writes, 7), await all()]).toEqual(['none', [2, 2, true, 0]])
      const stale = writes.map((each) => ({
        ...each,
        expectedVersion: each.expectedVersion + Number(!each.isDeletion),
      }))
      expect([await remove(stale), await all()]).toEqual(['changed', [2, 2, true, 0]])
      expect([await remove(writes), await all()]).toEqual(['written', [1, 0, false, 1]])
      expect(await store.listMembers(other.id, { limit: 9 })).toHaveLength(1)
      expect(await remove([])).toBe('none')
    })

    test('organizations are locked in one order, so two writes of the same ones don’t block each other', async () => {
      const locked: string[] = []
      const { store } = storesWith({
        async compareAndSwap(tx, expected, changes) {
          locked.push(expected.id)
          return tables.organizations.compareAndSwap(tx, expected, changes)
        },
      })
      const other = newOrganization({ id: 'org_other', slug: 'other' })
      await store.create(organization, [])
      await store.create(other, [])
      for (const [expectedVersion, ids] of [
        [id, other.id],
        [other.id, id],
      ].entries())
        await store.write(
          ids.map((organizationId) => ({ organizationId, expectedVersion: expectedVersion + 1 })),
        )
      expect(locked).toEqual([id, other.id, id, other.id])
    })

    test('a commit that would come after the deadline is rolled back', async () => {
      const deadline = performance.now() + 200
      const { store } = storesWith({
        async insertMember(tx, row) {
          await tables.organizations.insertMember(tx, row)
          while (performance.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 5))
        },
      })
      const call = callBefore(deadline, () => store.create(organization, [membership]))
      await expect(call).rejects.toThrow(new UnavailableError('the database did not respond in time'))
      expect(await store.find({ id })).toBeNull()
    })

    test('a database that takes two spellings for one finds and changes only the exact one', async () => {
      const right = tables.organizations
      const lower = ({ organizationId, userId }: { organizationId: string; userId: string }) => ({
        organizationId: organizationId.toLowerCase(),
        userId: userId.toLowerCase(),
      })
      const { store } = storesWith({
        find: (by, keys, tx) =>
          right.find(
            by,
            keys.map((key) => key.toLowerCase()),
            tx,
          ),
        findMember: (key, tx) => right.findMember(lower(key), tx),
        compareAndSwap: (tx, { id, version }, changes) =>
          right.compareAndSwap(tx, { id: id.toLowerCase(), version }, changes),
        remove: (tx, { id, version }) => right.remove(tx, { id: id.toLowerCase(), version }),
        removeMembers: (tx, { organizationId, userId = '' }) =>
          right.removeMembers(tx, lower({ organizationId, userId })),
      })
      await store.create(organization, [membership])
      const upper = { organizationId: id.toUpperCase(), expectedVersion: 1 }
      expect([
        await store.find({ id: upper.organizationId }),
        await store.findFor({ id }, 'ADA'),
        await store.write([{ ...upper, changes: { name: 'Eve' } }]),
        await store.write([{ ...upper, isDeletion: true }]),
        await store.write([{ ...upper, organizationId: id, remove: ['ADA'] }]),
      ]).toMatchObject([null, { membership: null }, 'changed', 'changed', 'written'])
      expect(await storesWith().store.findFor({ id }, 'ada')).toMatchObject({
        organization: { name: 'Acme', version: 2 },
        membership,
      })
    })

    test('a row that somebody has damaged is an error that doesn’t quote it', async () => {
      const { store } = storesWith()
      await store.create(organization, [membership])
      await sql.run(`UPDATE members SET roles = '{secret'`, [])
      const text = 'the column roles of a row is unreadable'
      await expect(store.findFor({ id }, 'ada')).rejects.toThrow(new UnavailableError(text))
    })
  },
)

describe('tables of organizations that are wrong stop the start', () => {
  const none = async () => null
  const table = {
    transaction: <Result>(work: (tx: null) => Promise<Result>) => work(null),
    insert: none,
    find: async () => [],
    page: async () => [],
    compareAndSwap: none,
    remove: none,
    insertMember: none,
    findMember: none,
    changeMember: none,
    removeMembers: none,
    pageOfMembers: async () => [],
    pageOfUser: async () => [],
    countOfUser: async () => 0,
  }

  test('a function that is missing', () => {
    const wrong: object = { countOfUser: undefined }
    expect(() => createTableOrganizationStore({ ...table, ...wrong })).toThrow(
      new TypeError('createTableOrganizationStore: countOfUser must be a function, got undefined'),
    )
  })

  test('users of another database', () => {
    const users = { ...table, find: none, replaceIdentities: none }
    for (const userStore of [
      createMemoryUserStore(),
      createTableUserStore({ ...users, transaction: (work) => work(null) }),
    ])
      expect(() => createTableOrganizationStore({ ...table, userStore })).toThrow(
        new TypeError('userStore must be a store of createTableUserStore with the same transaction function'),
      )
    expect(
      createTableOrganizationStore({
        ...table,
        userStore: createTableUserStore({ ...users, page: undefined }),
      }).outbox,
    ).toBeUndefined()
  })

  test('messages have no place without a user store', async () => {
    const store = createTableOrganizationStore(table)
    await expect(store.create(newOrganization(), [], [newPendingMail()])).rejects.toThrow(
      'messages need a userStore',
    )
  })
})
