import type { InvitationRow } from '@fastify-accounts/table-stores'
import { driversHere, runSql, type TestDatabase } from '@fastify-accounts/test-support/databases'
import { breaksLaws, later } from '@fastify-accounts/test-support/sabotage'
import { makeTables, openSql, storesOn } from '@fastify-accounts/test-support/tables/open-tables'
import {
  type Connection,
  type Sql,
  sqlTables,
  type Tables,
} from '@fastify-accounts/test-support/tables/sql-tables'
import {
  invitationStoreCases,
  outboxCases,
  sessionStoreCases,
  userStoreCases,
} from '@fastify-accounts/testing'
import { organizationStoreCases } from '@fastify-accounts/testing/organizations'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

type Outbox = Tables['users']['outbox']

/** Functions that an author of tables got wrong. */
interface Mistake {
  users?: Partial<Tables['users']>
  outbox?: Partial<Outbox>
  sessions?: Partial<Tables['sessions']>
  invitations?: Partial<Tables['invitations']>
  organizations?: Partial<Tables['organizations']>
}

/** Each mistake, and a law that must notice it. */
const mistakes: Record<string, [law: string, mistake: (right: Tables, sql: Sql) => Mistake]> = {
  'users: compareAndSwap forgets the version': [
    'law 14: exactly one of 100',
    ({ users }) => {
      const latest = inTurn()
      return {
        users: {
          async compareAndSwap(tx, { id, version: read }, changes) {
            const version = await latest(`${id} ${read}`, read, async () => {
              const [row] = await tx.rows<{ version: number }>('SELECT version FROM users WHERE id = ?', [id])
              return row?.version ?? 0
            })
            return users.compareAndSwap(tx, { id, version }, changes)
          },
        },
      }
    },
  ],
  'users: compareAndSwap doesn’t say whether there was a row': [
    'law 13:',
    ({ users }) => ({
      users: {
        compareAndSwap: async (...given) => {
          await users.compareAndSwap(...given)
          return 1
        },
      },
    }),
  ],
  'users: identities are forgotten': [
    'law 36: a taken identity',
    () => ({ users: { replaceIdentities: async () => undefined } }),
  ],
  'users: old identities stay': [
    'law 36: an identity that a user gives up',
    () => ({
      users: {
        async replaceIdentities(tx, id, keys) {
          for (const key of keys)
            await tx.run(
              'INSERT INTO identities ("identityKey", "userId") VALUES (?, ?) ON CONFLICT DO NOTHING',
              [key, id],
            )
        },
      },
    }),
  ],
  'users: insert leaves the transaction': [
    'law 18: nobody sees a change without its message: create()',
    ({ users }, sql) => ({ users: { insert: (_, row) => apart(sql, (tx) => users.insert(tx, row)) } }),
  ],
  'users: remove leaves the transaction': [
    'law 18: nobody sees a change without its message: delete()',
    ({ users }, sql) => ({ users: { remove: (_, id) => apart(sql, (tx) => users.remove(tx, id)) } }),
  ],
  'users: find leaves the transaction': [
    'law 13:',
    ({ users }) => ({ users: { find: (by, key) => users.find(by, key) } }),
  ],
  'users: the transaction is committed whatever happens': [
    'law 27: a call whose deadline',
    (_, sql) => ({
      users: {
        async transaction(run) {
          const [outcome] = await sql.transaction(async (tx) => Promise.allSettled([run(tx)]))
          if (outcome.status === 'rejected') throw outcome.reason
          return outcome.value
        },
      },
    }),
  ],
  'users: every error is a violated index': ['law 26:', () => ({ users: { isUniqueViolation: () => true } })],
  'users: no error is a violated index': [
    'law 4: a taken username',
    () => ({ users: { isUniqueViolation: () => false } }),
  ],
  'users: a page begins at the first user again': [
    'law 21:',
    ({ users }) => ({ users: { page: async ({ after, ...query }) => (await users.page?.(query)) ?? [] } }),
  ],
  'users: a page has every kind': [
    'law 38',
    ({ users }) => ({
      users: {
        page: async ({ where: { kind, ...where } = {}, ...query }) =>
          (await users.page?.({ ...query, where })) ?? [],
      },
    }),
  ],
  'outbox: insert leaves the transaction': [
    'law 18: nobody sees a change without its message: update()',
    ({ users: { outbox } }, sql) => ({
      outbox: { insert: (_, rows) => apart(sql, (tx) => outbox.insert(tx, rows)) },
    }),
  ],
  'outbox: due returns messages of any realm': [
    'law 4: claim, count and oldestDue',
    ({ users: { outbox } }) => ({ outbox: { due: ({ realm, ...query }) => outbox.due(query) } }),
  ],
  'outbox: due returns messages that aren’t due': [
    'law 3: a claimed message',
    ({ users: { outbox } }) => ({
      outbox: { due: (query) => outbox.due({ ...query, by: new Date('2199-01-01') }) },
    }),
  ],
  'outbox: due has no order': [
    'law 4: claim takes at most',
    ({ users: { outbox } }) => ({
      outbox: {
        due: async (query) =>
          (await outbox.due({ ...query, limit: 1000 })).toReversed().slice(0, query.limit),
      },
    }),
  ],
  'outbox: compareAndSwap compares the id alone': [
    'law 3: of many simultaneous claims',
    () => ({
      outbox: {
        compareAndSwap: (tx, { id }, changes) => {
          const set = Object.keys(changes).map((name) => `"${name}" = ?`)
          return tx.run(`UPDATE outbox SET ${set.join(', ')} WHERE id = ?`, [...Object.values(changes), id])
        },
      },
    }),
  ],
  'outbox: remove compares the id alone': [
    'law 15: of a split and another end',
    () => ({ outbox: { remove: (tx, { id }) => tx.run('DELETE FROM outbox WHERE id = ?', [id]) } }),
  ],
  'outbox: count counts all realms': [
    'law 7: count counts',
    ({ users: { outbox } }) => ({ outbox: { count: ({ isDead }) => outbox.count({ isDead }) } }),
  ],
  'outbox: dead begins at the first again': [
    'law 8:',
    ({ users: { outbox } }) => ({ outbox: { dead: ({ limit }) => outbox.dead({ limit }) } }),
  ],
  ...Object.fromEntries(
    (['generation', 'seenGeneration', 'confirmation'] as const).map((field) => [
      `sessions: compareAndSwap forgets ${field}`,
      [
        'law 22: exactly one of 20',
        () => ({
          sessions: {
            compareAndSwap: (tx, expected, changes) => {
              const compared = Object.entries(expected).filter(([name]) => name !== field)
              const set = Object.keys(changes).map((name) => `"${name}" = ?`)
              const isIt = compared.map(([name]) => `"${name}" = ?`)
              const values = [...Object.values(changes), ...compared.map(([, value]) => value)]
              return tx.run(`UPDATE sessions SET ${set.join(', ')} WHERE ${isIt.join(' AND ')}`, values)
            },
          },
        }),
      ] satisfies (typeof mistakes)[string],
    ]),
  ),
  'sessions: removeByUser spares nobody': [
    'law 6: deleteByUser spares',
    ({ sessions }) => ({
      sessions: { removeByUser: (tx, userId) => sessions.removeByUser(tx, userId, '') },
    }),
  ],
  'sessions: removeByUser leaves the transaction': [
    'law 18: a user is changed together with a new session',
    ({ sessions }, sql) => ({
      sessions: {
        removeByUser: (_, ...given) => apart(sql, (tx) => sessions.removeByUser(tx, ...given)),
      },
    }),
  ],
  'sessions: listByUser lists everyone’s': [
    'law 14: listByUser',
    (_, sql) => ({ sessions: { listByUser: () => sql.rows('SELECT * FROM sessions', []) } }),
  ],
  'sessions: removeExpired removes live ones': [
    'law 13:',
    ({ sessions }) => ({
      sessions: {
        removeExpired: (tx, _, limit) => sessions.removeExpired(tx, new Date('2199-01-01'), limit),
      },
    }),
  ],
  'sessions: insert replaces': [
    'law 5: ',
    ({ sessions }) => ({
      sessions: {
        async insert(tx, row) {
          await sessions.remove(tx, row.id)
          await sessions.insert(tx, row)
        },
      },
    }),
  ],
  'invitations: compareAndSwap forgets the version': [
    'law 11: update and delete',
    (_, sql) => ({
      invitations: {
        compareAndSwap: (tx, { id }, { sends = 0, version }) =>
          tx.run('UPDATE invitations SET sends = ?, version = ? WHERE id = ?', [sends, version, id]),
        find: async (id, tx = sql) =>
          (await tx.rows<InvitationRow>('SELECT * FROM invitations WHERE id = ?', [id]))[0],
      },
    }),
  ],
  'invitations: remove forgets the version': [
    'law 12: of an update',
    () => ({
      invitations: { remove: (tx, { id }) => tx.run('DELETE FROM invitations WHERE id = ?', [id]) },
    }),
  ],
  'invitations: insert leaves the transaction': [
    'law 15: a call whose',
    ({ invitations }, sql) => ({
      invitations: { insert: (_, row) => apart(sql, (tx) => invitations.insert(tx, row)) },
    }),
  ],
  'invitations: no error is a violated index': [
    'law 6: there is one',
    () => ({ invitations: { isUniqueViolation: () => false } }),
  ],
  'invitations: the app’s own are those of everybody': [
    'law 10: list filters',
    ({ invitations }) => ({
      invitations: {
        page: ({ inviterId, ...query }) =>
          invitations.page({ ...query, inviterId: inviterId === '' ? undefined : inviterId }),
      },
    }),
  ],
  'invitations: a page begins with the time of the position': [
    'law 10: list returns pages',
    ({ invitations }) => ({
      invitations: {
        page: ({ after, ...query }) => invitations.page({ ...query, after: after && { ...after, id: ' ' } }),
      },
    }),
  ],
  'invitations: removeExpired removes live ones': [
    'law 5: expired',
    ({ invitations }) => ({
      invitations: {
        removeExpired: (tx, _, limit) => invitations.removeExpired(tx, new Date('2199-01-01'), limit),
      },
    }),
  ],
  'organizations: compareAndSwap forgets the version': [
    'law 14: exactly one of',
    () => ({
      organizations: {
        compareAndSwap: (tx, { id }, { version }) =>
          tx.run('UPDATE organizations SET version = ? WHERE id = ?', [version, id]),
      },
    }),
  ],
  'organizations: remove forgets the version': [
    'law 13: nothing happens',
    () => ({
      organizations: { remove: (tx, { id }) => tx.run('DELETE FROM organizations WHERE id = ?', [id]) },
    }),
  ],
  'organizations: no error is a violated index': [
    'law 5: no two',
    () => ({ organizations: { isUniqueViolation: () => false } }),
  ],
  'organizations: insert leaves the transaction': [
    'law 17: a call whose',
    ({ organizations }, sql) => ({
      organizations: { insert: (_, row) => apart(sql, (tx) => organizations.insert(tx, row)) },
    }),
  ],
  'organizations: insertMember leaves the transaction': [
    'law 17: a call whose',
    ({ organizations }, sql) => ({
      organizations: { insertMember: (_, row) => apart(sql, (tx) => organizations.insertMember(tx, row)) },
    }),
  ],
  'organizations: changeMember changes every membership of the user': [
    'law 12: memberships',
    () => ({
      organizations: {
        changeMember: (tx, { userId }, { roles }) =>
          tx.run('UPDATE members SET roles = ? WHERE "userId" = ?', [roles, userId]),
      },
    }),
  ],
  'organizations: removeMembers removes all': [
    'law 12: memberships',
    ({ organizations }) => ({
      organizations: {
        removeMembers: (tx, { organizationId }) => organizations.removeMembers(tx, { organizationId }),
      },
    }),
  ],
  'organizations: removeMembers only removes one': [
    'law 12: a deletion',
    ({ organizations }) => ({
      organizations: {
        removeMembers: (tx, { organizationId, userId = '' }) =>
          organizations.removeMembers(tx, { organizationId, userId }),
      },
    }),
  ],
  'organizations: a page of members begins with the time of the position': [
    'law 9:',
    ({ organizations }) => ({
      organizations: {
        pageOfMembers: ({ after, ...query }) =>
          organizations.pageOfMembers({ ...query, after: after && { ...after, userId: ' ' } }),
      },
    }),
  ],
  'organizations: countOfUser counts those of everybody': [
    'law 6: ids',
    (_, sql) => ({
      organizations: {
        countOfUser: async () => (await sql.rows('SELECT * FROM members', [])).length,
      },
    }),
  ],
  'organizations: findWithMember reads what is no longer true': [
    'law 14: findFor',
    ({ organizations }, sql) => ({
      organizations: {
        async findWithMember(by, key, userId) {
          const [organization] = await organizations.find(by, [key])
          if (!organization) return null
          for (let query = 0; query < 5; query += 1) await sql.rows('SELECT 1', [])
          const membership = await organizations.findMember({ organizationId: `${organization.id}`, userId })
          return { organization, membership }
        },
      },
    }),
  ],
}

/** Runs a write in a transaction of its own. Others then have the time to see it before the one that it left ends. */
async function apart<Result>(sql: Sql, write: (tx: Connection) => Promise<Result>): Promise<Result> {
  const result = await sql.transaction(write)
  for (let query = 0; query < 20; query += 1) await sql.rows('SELECT 1', [])
  return result
}

/**
 * What callers who forget the number they read go on with: the first of each key with that number, once another is there;
 * all others with the next number, once it is stored. So two win, however the calls fall.
 */
function inTurn(): (key: string, read: number, now: () => Promise<number>) => Promise<number> {
  const arrived = new Map<string, number>()
  return async (key, read, now) => {
    const place = (arrived.get(key) ?? 0) + 1
    arrived.set(key, place)
    let number = read
    for (let turn = 0; turn < 100; turn += 1) {
      if (place === 1 && arrived.get(key) !== 1) break
      if (place > 1) number = await now()
      if (number !== read) break
      await later()
    }
    return number
  }
}

const [setUp] = await driversHere(['pg'])

describe.skipIf(setUp === undefined)('mistakes of authors of tables', () => {
  let database: TestDatabase

  beforeAll(async () => {
    database = await makeTables('pg')
  })
  afterAll(() => database.drop())
  beforeEach(async () => {
    const tables = ['members', 'organizations', 'invitations', 'sessions', 'outbox', 'identities', 'users']
    await runSql(database.place, ...tables.map((table) => `DELETE FROM ${table}`))
  })

  test.each(Object.entries(mistakes))('%s', async (name, [law, mistake]) => {
    const open = async () => {
      const sql = await openSql(database.place)
      const right = sqlTables(sql)
      const { users, outbox, sessions, invitations, organizations } = mistake(right, sql)
      const transaction = users?.transaction ?? right.users.transaction
      return storesOn({
        users: { ...right.users, ...users, outbox: { ...right.users.outbox, ...outbox } },
        sessions: { ...right.sessions, ...sessions, transaction, close: right.users.close },
        invitations: { ...right.invitations, ...invitations, transaction, close: right.users.close },
        organizations: { ...right.organizations, ...organizations, transaction, close: right.users.close },
      })
    }
    const users = async () => [(await open()).users, (await open()).users] as const
    const sessions = async () => [(await open()).sessions, (await open()).sessions] as const
    const organizations = async () => [(await open()).organizations, (await open()).organizations] as const
    const invitations = async () => [(await open()).invitations, (await open()).invitations] as const
    const part = name.slice(0, name.indexOf(':'))
    const fail = async () => {
      await runSql(database.place, 'ALTER TABLE users RENAME TO gone')
      return async () => void (await runSql(database.place, 'ALTER TABLE gone RENAME TO users'))
    }
    const suites = {
      users: [...userStoreCases(users, { fail }), ...outboxCases(users)],
      outbox: outboxCases(users),
      sessions: sessionStoreCases(sessions),
      invitations: invitationStoreCases(invitations),
      organizations: organizationStoreCases(organizations),
    }
    const cases = suites[part as keyof typeof suites].filter((each) => each.name.includes(law))
    expect((await breaksLaws(cases, law)).length).toBeGreaterThan(0)
  })
})
