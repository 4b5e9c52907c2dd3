import { createKyselyUserStore, migrate } from '@fastify-accounts/kysely'
import {
  connect,
  driversHere,
  empty,
  makeDatabase,
  type TestDatabase,
} from '@fastify-accounts/test-support/databases'
import {
  callBefore,
  createMemoryUserStore,
  type ListingUserStore,
  type UserListQuery,
} from 'fastify-accounts'
import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newUser } from './support/users.js'

/** Values of fields that a search could mistake for another, each as `name` of a user, as `note`, and in a list. */
const values = [
  'Ada Lovelace',
  'ADA',
  'Müller',
  'MÜLLER-ÖZIL',
  'ΟΔΥΣΣΕΥΣ',
  '田中 さくら',
  'İstanbul',
  '5 K',
  '100 % _sure_',
  '100 x Ysure',
  'C:\\new',
  'C:\new',
  'say "hi"',
  'a\0b',
  '😀',
  '\ud83d',
  'note',
]

const texts = [
  ...values,
  ...[
    'ada',
    'l',
    'L',
    'üll',
    'ÜLL',
    'öz',
    'δυσσευς',
    'ΔΥΣΣΕΎΣ',
    '中',
    'stanbul',
    'i̇s',
    'K',
    'k',

    '%',
    '_',
    '% _',
    '\\n',
    '\n',
  ],
  ...['\\', '"', '\0', '\ude00', 'name', '":"', '{', 'person', 'zzz', 'x'.repeat(100_000)],
]

describe.each(await driversHere())('a search: $title', ({ name }) => {
  let database: TestDatabase
  let db: Kysely<unknown>
  let store: ListingUserStore
  let memory: ListingUserStore

  beforeAll(async () => {
    database = await makeDatabase(name)
    db = await connect(database.place)
    await migrate(db)
  })
  beforeEach(async () => {
    await empty(db)
    store = createKyselyUserStore({ db })
    memory = createMemoryUserStore()
  })
  afterAll(async () => {
    await db.destroy()
    await database.drop()
  })

  async function create(user: ReturnType<typeof newUser>): Promise<void> {
    await store.create(user)
    await memory.create(user)
  }

  /** The names of the users on all pages, of this length. */
  async function found(users: ListingUserStore, query: Omit<UserListQuery, 'limit'>, limit: number) {
    const names: (string | null)[] = []
    for (let page = await users.list({ ...query, limit }); page.length > 0; ) {
      expect(page.length).toBeLessThanOrEqual(limit)
      names.push(...page.map(({ username }) => username))
      page = await users.list({ ...query, limit, after: page.at(-1) })
    }
    return names
  }

  test('finds what the store in memory finds, whatever the text', async () => {
    for (const [at, value] of values.entries()) {
      const createdAt = new Date(1_000_000 + at)
      await create(newUser(`name-${at}`, { createdAt, fields: { name: value } }))
      await create(newUser(`note-${at}`, { createdAt, fields: { note: value, name: 7, toString: value } }))
      await create(newUser(`list-${at}`, { createdAt, fields: { name: [value], [value]: null } }))
    }
    for (const text of texts) {
      for (const fields of [['name'], ['note', 'name'], ['other'], ['toString']]) {
        const query = { search: { text, fields } }
        const names = await found(memory, query, 100)
        expect(await found(store, query, 100), `${JSON.stringify(text)} in ${fields}`).toEqual(names)
      }
    }
    expect(await found(store, { search: { text: 'üLL', fields: ['name'] } }, 100)).toEqual(['name-2'])
  })

  test('works together with everything else, on any page', async () => {
    const kinds = ['person', 'person', 'service', 'unclaimed'] as const
    for (let n = 0; n < 60; n += 1) {
      const hasName = n % 7 !== 0
      await create(
        newUser(`user-${(n * 37) % 60}`, {
          ...(hasName ? {} : { username: null, usernameKey: null }),
          createdAt: new Date(1000 + (n % 9)),
          kind: kinds[n % 4] ?? 'person',
          isStaff: n % 3 === 0,
          isVerified: n % 8 === 5,
          lastLoginAt: n % 11 < 4 ? new Date(n) : null,
          isActive: n % 5 !== 0,
          fields: { name: n % 2 === 0 ? 'Ada' : 'Bob', note: 'ada' },
        }),
      )
    }
    const search = { text: 'ADA', fields: ['name'] }
    const wheres = [
      ...[{}, { kind: 'person' }, { isActive: true }, { isActive: false }],
      ...[
        { kind: 'person', isUsed: true },
        { isUsed: false, isStaff: true },
      ],
      { kind: 'person', isStaff: true, isActive: true, isVerified: false },
    ] as const
    const prefixes = [{ usernameKey: 'user-1' }, { emailKey: 'user-2' }]
    for (const where of wheres) {
      for (const query of prefixes.flatMap((prefix) => [
        { where, prefix },
        { where, prefix, search },
      ]))
        expect(await found(store, query, 7), JSON.stringify(query)).toEqual(await found(memory, query, 100))
      for (const more of [{}, { search }]) {
        for (const by of ['createdAt', 'usernameKey'] as const) {
          for (const descending of [false, true]) {
            const query = { where, ...more, order: { by, descending } }
            // Ids differ, so users of one moment may be in another order.
            const order = (names: (string | null)[]) => (by === 'createdAt' ? names.toSorted() : names)
            const names = order(await found(memory, query, 100))
            expect(order(await found(store, query, 7)), JSON.stringify(query)).toEqual(names)
          }
        }
      }
    }
    const [prefix] = prefixes
    expect(await found(store, { search, where: { isActive: false }, prefix }, 7)).not.toEqual([])
  })

  test('reads on behind any number of users who have the text elsewhere', async () => {
    const rows = Array.from({ length: 1000 }, (_, n) => {
      const fields = JSON.stringify(n % 450 === 449 ? { name: 'Ada' } : { name: 'Bob', note: 'ada' })
      return sql`(${`id-${n}`}, 'x', ${`x-${n}`}, 'x', 0, 0, 1, ${n}, 0, 0, 0, 1, ${fields})`
    })
    await sql`insert into accounts_users (id, username, username_key, password_hash, is_verified, is_staff, is_active,
      created_at, session_epoch, reset_epoch, verify_epoch, version, fields) values ${sql.join(rows)}`.execute(
      db,
    )
    const search = { text: 'ada', fields: ['name'] }
    const idsOf = async (query: UserListQuery) => (await store.list(query)).map(({ id }) => id)
    expect(await idsOf({ search, limit: 1 })).toEqual(['id-449'])
    expect(await idsOf({ search, limit: 10 })).toEqual(['id-449', 'id-899'])
    const [first] = await store.list({ search, limit: 1 })
    expect(await idsOf({ search, limit: 1, after: first })).toEqual(['id-899'])
    const order = { by: 'createdAt', descending: true } as const
    expect(await idsOf({ search, limit: 10, order })).toEqual(['id-899', 'id-449'])
    expect(await idsOf({ search: { ...search, fields: ['note', 'name'] }, limit: 450 })).toHaveLength(450)

    // The caller got its error long ago.
    const late = callBefore(performance.now(), () => store.list({ search, limit: 1 }))
    await expect(late).rejects.toThrow('the database did not respond in time')
  })
})
